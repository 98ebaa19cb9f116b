// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fedstein/federated/transport.h"

namespace fedstein {

// Connections that the server closes, as people want to read of them: one sentence when a series begins and one with
// the counts when it is over, however many there were.
class Closings {
 public:
  enum class Reason { kSilent, kCrowded, kSurplus, kGreedy, kHandshake, kAccept };
  static constexpr std::size_t kReasons = 6;

  // Whether it begins a series.
  bool note(Reason reason, Clock::time_point now);
  // A sentence that is due, or nothing.
  std::string due(Clock::time_point now);

 private:
  std::array<std::int64_t, kReasons> counts_ = {};
  Clock::time_point first_ = {};
  Clock::time_point last_ = {};
  bool running_ = false;
  bool announced_ = false;
};

}  // namespace fedstein
