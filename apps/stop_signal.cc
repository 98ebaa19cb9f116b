// SPDX-License-Identifier: Apache-2.0
#include "stop_signal.h"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace fedstein {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGUSR1);  // our own, to end the watcher
  return set;
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

StopSignal::Watch::~Watch() {
  pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
}

StopSignal::Watch::Watch(std::function<void()> on_stop) {
  watcher_ = std::thread([on_stop = std::move(on_stop)] {
    const sigset_t set = stop_signals();
    for (bool asked = false;;) {
      int signal = 0;
      if (sigwait(&set, &signal) != 0) continue;
      if (signal == SIGUSR1) return;
      if (asked) std::_Exit(128 + signal);
      asked = true;
      on_stop();
    }
  });
}

}  // namespace fedstein
