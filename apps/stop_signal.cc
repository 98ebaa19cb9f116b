// SPDX-License-Identifier: Apache-2.0
#include "stop_signal.h"

#include <pthread.h>

#include <cstdlib>
#include <functional>

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

void watch(std::stop_source source, const std::atomic<bool>& ending) {
  const sigset_t set = stop_signals();
  while (true) {
    int signal = 0;
    if (sigwait(&set, &signal) != 0) continue;
    if (signal == SIGUSR1 && ending) return;
    if (signal == SIGUSR1) continue;
    if (!source.request_stop()) std::_Exit(128 + signal);
  }
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  watcher_ = std::thread(watch, source_, std::cref(ending_));
}

StopSignal::~StopSignal() {
  ending_ = true;
  pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace fedstein
