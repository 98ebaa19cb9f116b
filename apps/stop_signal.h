// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>
#include <utility>

namespace fedstein {

// SIGTERM and Ctrl-C as a call of ours instead of the program's end. Made before any other thread, so that all of them
// leave the signals alone.
class StopSignal {
 public:
  StopSignal();

  // While alive, the signals call `on_stop` on a thread of its own, once; a second one ends the program at once. Made
  // after whatever on_stop uses, so that it is gone before that is.
  class Watch {
   public:
    explicit Watch(std::function<void()> on_stop);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    std::thread watcher_;
  };
  Watch watch(std::function<void()> on_stop) const { return Watch(std::move(on_stop)); }
};

}  // namespace fedstein
