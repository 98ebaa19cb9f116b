// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/scheduler.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

void check_agents(const char* function, Index agents) {
  check_argument(agents >= 1, function, "agents is " + std::to_string(agents) + "; it must be at least 1");
}

Rng stream(std::uint64_t seed, Index round) {
  return Rng({.seed = seed, .agent = 0, .round = static_cast<std::uint64_t>(round), .purpose = Purpose::kSchedule});
}

}  // namespace

RoundRobin::RoundRobin(Index agents) : agents_(agents) {
  check_agents("RoundRobin", agents);
}

std::vector<Index> RoundRobin::pick(Index round) const {
  return {(round - 1) % agents_};
}

RandomOne::RandomOne(Index agents, std::uint64_t seed) : agents_(agents), seed_(seed) {
  check_agents("RandomOne", agents);
}

std::vector<Index> RandomOne::pick(Index round) const {
  return {static_cast<Index>(stream(seed_, round).below(static_cast<std::uint64_t>(agents_)))};
}

RandomFraction::RandomFraction(Index agents, double fraction, std::uint64_t seed) : agents_(agents), seed_(seed) {
  check_agents("RandomFraction", agents);
  check_argument(fraction > 0 && fraction <= 1,
                 "RandomFraction",
                 "fraction is " + to_text(fraction) + "; it must be above 0 and at most 1");
  picked_ = std::max<Index>(1, std::lround(fraction * static_cast<double>(agents)));
}

std::vector<Index> RandomFraction::pick(Index round) const {
  std::vector<Index> order = stream(seed_, round).permutation(agents_);
  order.resize(static_cast<std::size_t>(picked_));
  std::sort(order.begin(), order.end());
  return order;
}

WeightedByData::WeightedByData(std::vector<Index> rows, std::uint64_t seed) : seed_(seed) {
  check_agents("WeightedByData", static_cast<Index>(rows.size()));
  Index total = 0;
  for (std::size_t agent = 0; agent < rows.size(); ++agent) {
    check_argument(
        rows[agent] >= 0,
        "WeightedByData",
        "agent " + std::to_string(agent) + " has " + std::to_string(rows[agent]) + " rows; at least 0 are allowed");
    total += rows[agent];
    cumulative_.push_back(total);
  }
  check_argument(total > 0, "WeightedByData", "no agent has a row; at least one must");
}

std::vector<Index> WeightedByData::pick(Index round) const {
  const auto drawn = static_cast<Index>(stream(seed_, round).below(static_cast<std::uint64_t>(cumulative_.back())));
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), drawn);
  return {found - cumulative_.begin()};
}

}  // namespace fedstein
