// SPDX-License-Identifier: Apache-2.0
// Two agents whose losses have different optima and curvatures, for methods against drift.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/methods/registry.h"
#include "fedstein/model/logistic_regression.h"
#include "methods/toy_federation.h"
#include "support/random_matrix.h"

namespace fedstein {

using SkewedValues = std::vector<std::pair<std::string, SettingValue>>;

// 60 rows of large inputs that say w = (1, 0), 30 of small ones that say w = (-2, 3). Labels are drawn, so that no loss
// has its optimum at infinity.
class SkewedAgents : public testing::Test {
 protected:
  SkewedAgents() : x_(random_matrix(90, 2, 1)), y_(90) {
    x_.topRows(60) *= 2;
    Rng rng({.seed = 2});
    for (Index i = 0; i < 90; ++i) {
      const double logit = i < 60 ? static_cast<double>(x_(i, 0)) : static_cast<double>(-2 * x_(i, 0) + 3 * x_(i, 1));
      y_(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : -1;
    }
  }

  Batch all() const { return {x_, y_}; }
  std::vector<Batch> shards() const { return {all().middle_rows(0, 60), all().middle_rows(60, 30)}; }

  // 50 plain steps of all rows, unless the values say otherwise.
  Federation federation(const std::string& name, const SkewedValues& values = {}) const {
    return federation_of(shards(), name, values);
  }
  Federation federation_of(const std::vector<Batch>& whose, const std::string& name, const SkewedValues& values) const {
    const SkewedValues common = {{"local_steps", Index{50}},
                                 {"batch", Index{1000}},
                                 {"step_rule", std::string("plain")},
                                 {"learning_rate", 0.2}};
    Settings settings(algorithm_named(name).settings);
    for (const auto& [key, value] : common) {
      if (settings.has(key)) settings.set(key, value);
    }
    for (const auto& [key, value] : values) settings.set(key, value);
    return Federation(algorithm_named(name), settings, model_, whose, {.seed = 5});
  }

  static Matrix end_of(Federation made, Index rounds, const Scheduler& scheduler = RandomFraction(2, 1, 1)) {
    InProcessTransport transport(made.agent_pointers());
    Recorder recorder;
    coordinate(made.server(), scheduler, transport, recorder, {.rounds = rounds});
    for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty()) << record.round;
    return recorder.particles.back();
  }
  Matrix end_of(const std::string& name,
                const SkewedValues& values = {},
                const Scheduler& scheduler = RandomFraction(2, 1, 1)) const {
    return end_of(federation(name, values), 150, scheduler);
  }

  // Of the mean loss over all rows: 0 at the optimum.
  double slope_at(const Matrix& w) const {
    Matrix score = Matrix::Zero(1, 3);
    model_.add_likelihood_score(w, all(), 1 / 90.0, score);
    return static_cast<double>(score.norm());
  }

  LogisticRegression model_{2};
  Matrix x_;
  Vector y_;
};

// The updates of a round of these agents, as computed.
inline std::vector<Update> updates_of(Federation& made, Index round, const std::vector<Index>& agents) {
  std::vector<Update> updates;
  for (const Task& task : made.server().plan(round, agents)) updates.push_back(made.agent(task.agent).update(task));
  return updates;
}

// Folds them and lets the agents know.
inline void fold_round(Federation& made, Index round, const std::vector<Update>& updates) {
  const std::vector<Verdict> verdicts = made.server().fold(round, updates);
  for (std::size_t k = 0; k < updates.size(); ++k) made.agent(updates[k].agent).settle(verdicts[k], updates[k]);
}

}  // namespace fedstein
