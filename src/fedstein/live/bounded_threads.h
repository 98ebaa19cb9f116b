// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace fedstein {

// Callers that hold a connection and say nothing take no more than these; the others wait in the system's queue, where
// they cost no descriptor.
class BoundedThreads : public httplib::ThreadPool {
 public:
  // Borrows `under_way`, where others see how many connections there are.
  BoundedThreads(std::size_t threads, std::size_t most_connections, std::atomic<std::size_t>& under_way)
      : httplib::ThreadPool(threads), most_connections_(most_connections), under_way_(under_way) {}
  void enqueue(std::function<void()> work) override {
    std::unique_lock lock(mutex_);
    fewer_.wait(lock, [&] { return under_way_ < most_connections_; });
    ++under_way_;
    httplib::ThreadPool::enqueue([this, work = std::move(work)] {
      work();
      const std::lock_guard end(mutex_);
      --under_way_;
      fewer_.notify_one();
    });
  }

 private:
  const std::size_t most_connections_;
  std::mutex mutex_;
  std::condition_variable fewer_;
  std::atomic<std::size_t>& under_way_;
};

}  // namespace fedstein
