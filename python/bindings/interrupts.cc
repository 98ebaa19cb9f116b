// SPDX-License-Identifier: Apache-2.0
#include "interrupts.h"

#include <nanobind/nanobind.h>
#include <signal.h>

#include <atomic>

#include "errors.h"
#include "fedstein/base/interruption.h"

namespace fedstein::python {
namespace {

std::atomic<bool> pressed = false;
// Python's own, of which the signal is told first. Written before ours is installed.
struct sigaction before = {};

void on_interrupt(int signal, siginfo_t* info, void* context) {
  pressed.store(true, std::memory_order_relaxed);
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_interrupt;
}

// The handler of Python's that raises KeyboardInterrupt: of another one nobody knows whether it wants an end.
bool means_end() {
  const nb::module_ threading = nb::module_::import_("threading");
  if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return false;
  const nb::module_ signals = nb::module_::import_("signal");
  return signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

void check() {
  if (pressed.load(std::memory_order_relaxed)) throw PassingThrough{std::make_exception_ptr(Interrupted{})};
}

}  // namespace

void watch_interrupts() {
  set_interruption_check(check);
}

EndedByInterrupt::EndedByInterrupt() {
  struct sigaction now = {};
  if (sigaction(SIGINT, nullptr, &now) != 0 || is_ours(now) || !means_end()) return;
  pressed.store(false, std::memory_order_relaxed);
  before = now;
  struct sigaction ours = {};
  ours.sa_sigaction = on_interrupt;
  ours.sa_flags = SA_SIGINFO | (now.sa_flags & SA_RESTART);
  ours.sa_mask = now.sa_mask;
  installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

EndedByInterrupt::~EndedByInterrupt() {
  if (!installed_) return;
  // A callback may have installed another one meanwhile, which stays.
  struct sigaction now = {};
  if (sigaction(SIGINT, nullptr, &now) == 0 && is_ours(now)) sigaction(SIGINT, &before, nullptr);
  pressed.store(false, std::memory_order_relaxed);
}

}  // namespace fedstein::python
