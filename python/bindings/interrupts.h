// SPDX-License-Identifier: Apache-2.0
// Ctrl-C during a computation.
#pragma once

namespace fedstein::python {

// Lets the library ask, between steps, whether Ctrl-C was pressed. Once for the module.
void watch_interrupts();

// While it lives, in the main thread and where Ctrl-C means KeyboardInterrupt: the signal also ends what computes, in
// whatever thread. Python's own handling of it follows as soon as the computation has ended. With the interpreter's
// lock.
class EndedByInterrupt {
 public:
  EndedByInterrupt();
  ~EndedByInterrupt();
  EndedByInterrupt(const EndedByInterrupt&) = delete;
  EndedByInterrupt& operator=(const EndedByInterrupt&) = delete;

 private:
  bool installed_ = false;
};

}  // namespace fedstein::python
