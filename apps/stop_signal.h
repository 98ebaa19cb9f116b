// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace fedstein {

// While alive, SIGTERM and Ctrl-C call `on_stop` on a thread of its own, once; a second one ends the program at once.
// Made before any other thread, so that all of them leave the signals alone.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void watch(std::function<void()> on_stop);

 private:
  std::thread watcher_;
};

}  // namespace fedstein
