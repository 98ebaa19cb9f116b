// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Who takes part in a round: a pure function of the round, so that a resumed run picks the same agents.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  // Agents 0 .. K-1, ascending, each at most once, at least one. round = 1, 2, ...
  virtual std::vector<Index> pick(Index round) const = 0;
};

// Agent (round - 1) mod K.
class RoundRobin : public Scheduler {
 public:
  explicit RoundRobin(Index agents);
  std::vector<Index> pick(Index round) const override;

 private:
  Index agents_;
};

// One agent, each equally likely.
class RandomOne : public Scheduler {
 public:
  RandomOne(Index agents, std::uint64_t seed);
  std::vector<Index> pick(Index round) const override;

 private:
  Index agents_;
  std::uint64_t seed_;
};

// max(1, round(fraction * K)) different agents, each set equally likely; fraction 1 is everyone.
class RandomFraction : public Scheduler {
 public:
  RandomFraction(Index agents, double fraction, std::uint64_t seed);
  std::vector<Index> pick(Index round) const override;

 private:
  Index agents_;
  Index picked_;
  std::uint64_t seed_;
};

// One agent, with probability proportional to its rows.
class WeightedByData : public Scheduler {
 public:
  WeightedByData(std::vector<Index> rows, std::uint64_t seed);
  std::vector<Index> pick(Index round) const override;

 private:
  std::vector<Index> cumulative_;
  std::uint64_t seed_;
};

}  // namespace fedstein
