// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace fedstein {

// A TCP wire between agents and server that a test can cut and slow down. The far end may move: a server that was
// killed comes back on another port.
class FaultyWire {
 public:
  FaultyWire();
  ~FaultyWire();
  FaultyWire(const FaultyWire&) = delete;
  FaultyWire& operator=(const FaultyWire&) = delete;

  int port() const { return port_; }
  void lead_to(int port) { target_ = port; }
  // Every connection there is now breaks. Returns how many there were.
  int cut();
  // Every piece of data waits this long before it goes on.
  void delay(std::chrono::milliseconds time) { delay_ = time.count(); }

 private:
  struct Pair;
  void accept_calls();
  void pump(Pair& pair, bool towards_server);

  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> target_{0};
  std::atomic<long> delay_{0};
  std::atomic<bool> closing_{false};
  std::mutex mutex_;
  std::list<std::unique_ptr<Pair>> pairs_;
  std::thread acceptor_;
};

}  // namespace fedstein
