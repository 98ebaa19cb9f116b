// SPDX-License-Identifier: Apache-2.0
// The interpreter's end while threads compute, as daemon threads may. Python ends a thread that wants its lock then, in
// the middle of our C++, which would end the process with an error.
#pragma once

#include <nanobind/nanobind.h>

namespace fedstein::python {

namespace nb = nanobind;

// Once for the module: at the interpreter's end, threads that have its lock are waited for, and others get it no more.
void watch_ending();

// From before a thread asks for the lock until it has given it back.
class Visit {
 public:
  Visit();
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  // Otherwise the interpreter has ended for this thread: it must not ask for the lock.
  bool is_welcome() const { return welcome_; }

 private:
  bool welcome_ = true;
};

// Without the lock, which this thread has before and after. There is no way back into an interpreter that has ended:
// the thread stops then, for good.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace fedstein::python
