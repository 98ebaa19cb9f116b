// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <csignal>

namespace fedstein {
namespace {

// Signal handlers reach nothing but this.
std::atomic<bool> requested_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int signal) {
  requested_stop = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  requested_stop = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interruption::requested() const {
  return requested_stop;
}

}  // namespace fedstein
