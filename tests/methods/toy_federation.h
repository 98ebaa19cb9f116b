// SPDX-License-Identifier: Apache-2.0
// The paper's 1-D toys as small federations: one likelihood factor per agent.
#pragma once

#include <memory>
#include <vector>

#include "fedstein/algorithm/federation.h"
#include "fedstein/model/gaussian_mixture.h"

namespace fedstein {

// Agents by round, as a list says; the list is repeated when it ends.
class ListedSchedule : public Scheduler {
 public:
  explicit ListedSchedule(std::vector<std::vector<Index>> rounds) : rounds_(std::move(rounds)) {}
  std::vector<Index> pick(Index round) const override {
    return rounds_[static_cast<std::size_t>(round - 1) % rounds_.size()];
  }

 private:
  std::vector<std::vector<Index>> rounds_;
};

// Keeps what every round ended with.
class Recorder : public Observer {
 public:
  Next on_round(RoundRecord& record, const Particles& at_end) override {
    records.push_back(record);
    particles.push_back(at_end);
    return Next::kContinue;
  }

  std::vector<RoundRecord> records;
  std::vector<Particles> particles;
};

// Rows of a mixture's factors, one agent each.
struct FactorShards {
  explicit FactorShards(const GaussianMixture& model) : x(model.factor_rows()), y(Vector::Zero(x.rows())) {}
  std::vector<Batch> per_agent() const {
    std::vector<Batch> shards;
    for (Index k = 0; k < x.rows(); ++k) shards.push_back(all().middle_rows(k, 1));
    return shards;
  }
  Batch all() const { return {x, y}; }

  Matrix x;
  Vector y;
};

}  // namespace fedstein
