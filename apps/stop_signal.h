// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace fedstein {

// SIGTERM and Ctrl-C as a request to stop instead of the program's end; a second one ends the program at once. Made
// before any other thread, so that all of them leave the signals alone. One at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // What is registered with a std::stop_callback is called on a thread of this object's, once.
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::atomic<bool> ending_ = false;  // the watcher's own signal is ours; from anybody else it means nothing
  sigset_t before_ = {};
  std::thread watcher_;
};

}  // namespace fedstein
