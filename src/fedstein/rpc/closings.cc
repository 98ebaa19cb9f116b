// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/closings.h"

#include <algorithm>
#include <cmath>

namespace fedstein {
namespace {

constexpr std::array<const char*, Closings::kReasons> kWords = {"on which no agent called in time",
                                                                "to make room for others",
                                                                "beyond the number that one agent may have",
                                                                "that sent more than a message may have",
                                                                "whose TLS handshake failed",
                                                                "that the system could not accept"};
// After so much quiet a series is over.
constexpr auto kQuiet = std::chrono::seconds(5);

}  // namespace

bool Closings::note(Reason reason, Clock::time_point now) {
  const bool begins = !running_;
  if (begins) {
    running_ = true;
    announced_ = false;
    counts_ = {};
    first_ = now;
  }
  last_ = now;
  ++counts_[static_cast<std::size_t>(reason)];
  return begins;
}

std::string Closings::due(Clock::time_point now) {
  if (!running_) return {};
  const bool over = now - last_ >= kQuiet;
  if (announced_ && !over) return {};
  std::string kinds;
  std::int64_t total = 0;
  for (std::size_t k = 0; k < kReasons; ++k) {
    if (counts_[k] == 0) continue;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(counts_[k]) + " " + kWords[k];
    total += counts_[k];
  }
  if (!announced_) {
    announced_ = true;
    return "connections are being closed: " + kinds + "; the counts follow when it is over";
  }
  running_ = false;
  const auto seconds = std::lround(std::ceil(std::chrono::duration<double>(last_ - first_).count()));
  return "connections closed in " + std::to_string(std::max(1L, seconds)) + " s: " + std::to_string(total) + " (" +
         kinds + ")";
}

}  // namespace fedstein
