// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <mutex>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// How often one agent may call: some calls at once, and so many a second after that. For any number of threads.
class CallRate {
 public:
  using Clock = std::chrono::steady_clock;
  CallRate(double at_once, double per_second) : at_once_(at_once), per_second_(per_second) {}

  double per_second() const { return per_second_; }
  // Whether this call of the agent is one that it may make.
  bool allows(Index agent, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double calls = 0;
    Clock::time_point filled = {};
  };
  double at_once_;
  double per_second_;
  std::mutex mutex_;
  std::map<Index, Bucket> buckets_;
};

}  // namespace fedstein
