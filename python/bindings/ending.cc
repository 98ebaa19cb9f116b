// SPDX-License-Identifier: Apache-2.0
#include "ending.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace fedstein::python {
namespace {

std::atomic<bool> over = false;
std::atomic<int> visits = 0;
std::thread::id ender = {};  // goes on using the lock; written before `over`

// Runs with the lock, in the thread that ends the interpreter.
void end() {
  constexpr auto kLook = std::chrono::milliseconds(2);
  constexpr auto kPatience = std::chrono::seconds(2);  // a function of the user's may sleep as long as it likes
  ender = std::this_thread::get_id();
  over = true;
  const nb::gil_scoped_release unlocked;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (visits > 0 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(kLook);
}

}  // namespace

void watch_ending() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(end));
}

// Counted first: end() either sees this visit or is seen by it.
Visit::Visit() {
  ++visits;
  if (!over || ender == std::this_thread::get_id()) return;
  --visits;
  welcome_ = false;
}

Visit::~Visit() {
  if (welcome_) --visits;
}

Unlocked::~Unlocked() {
  const Visit visit;
  while (!visit.is_welcome()) std::this_thread::sleep_for(std::chrono::hours(1));
  PyEval_RestoreThread(state_);
}

}  // namespace fedstein::python
