// SPDX-License-Identifier: Apache-2.0
// SCAFFOLD against FedAvg on agents whose losses have different optima and curvatures.
#include <gtest/gtest.h>

#include "fedstein/federated/state.h"
#include "fedstein/methods/registry.h"
#include "fedstein/methods/scaffold.h"
#include "fedstein/model/logistic_regression.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Values = std::vector<std::pair<std::string, SettingValue>>;

// Two agents: 60 rows of large inputs that say w = (1, 0), 30 of small ones that say w = (-2, 3). Labels are drawn, so
// that no loss has its optimum at infinity.
class Skewed : public testing::Test {
 protected:
  Skewed() : x_(random_matrix(90, 2, 1)), y_(90) {
    x_.topRows(60) *= 2;
    Rng rng({.seed = 2});
    for (Index i = 0; i < 90; ++i) {
      const double logit = i < 60 ? static_cast<double>(x_(i, 0)) : static_cast<double>(-2 * x_(i, 0) + 3 * x_(i, 1));
      y_(i) = rng.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : -1;
    }
  }

  Batch all() const { return {x_, y_}; }
  std::vector<Batch> shards() const { return {all().middle_rows(0, 60), all().middle_rows(60, 30)}; }

  Federation federation(const std::string& name, const Values& values = {}) const {
    const Values common = {{"local_steps", Index{50}},
                           {"batch", Index{1000}},
                           {"step_rule", std::string("plain")},
                           {"learning_rate", 0.2}};
    Settings settings(algorithm_named(name).settings);
    for (const auto& [key, value] : common) settings.set(key, value);
    for (const auto& [key, value] : values) settings.set(key, value);
    return Federation(algorithm_named(name), settings, model_, shards(), {.seed = 5});
  }

  Matrix end_of(const std::string& name,
                const Values& values = {},
                const Scheduler& scheduler = RandomFraction(2, 1, 1)) const {
    Federation made = federation(name, values);
    InProcessTransport transport(made.agent_pointers());
    Recorder recorder;
    coordinate(made.server(), scheduler, transport, recorder, {.rounds = 150});
    return recorder.particles.back();
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

TEST_F(Skewed, ScaffoldFindsTheGlobalOptimumAndFedAvgDoesNot) {
  EXPECT_GT(slope_at(end_of("fedavg")), 0.02);
  EXPECT_LT(slope_at(end_of("scaffold")), 1e-5);
}

TEST_F(Skewed, ScaffoldFindsItWhenAgentsTakeTurns) {
  const ListedSchedule in_turn(std::vector<std::vector<Index>>{{0}, {1}});
  const Values values = {{"local_steps", Index{5}}};
  EXPECT_GT(slope_at(end_of("fedavg", values, in_turn)), 0.02);
  EXPECT_LT(slope_at(end_of("scaffold", values, in_turn)), 1e-3);
}

TEST_F(Skewed, UniformWeightingMinimisesTheMeanOfTheAgentsLosses) {
  const Matrix w = end_of("scaffold", {{"weighting", std::string("uniform")}});
  Matrix score = Matrix::Zero(1, 3);
  model_.add_likelihood_score(w, shards()[0], 1 / 60.0, score);
  model_.add_likelihood_score(w, shards()[1], 1 / 30.0, score);
  EXPECT_LT(score.norm(), 1e-5);
  EXPECT_GT(slope_at(w), 0.01);
}

TEST_F(Skewed, TheFirstRoundIsFedAvgs) {
  Federation scaffold = federation("scaffold");
  Federation fedavg = federation("fedavg");
  const Update ours = scaffold.agent(0).update(scaffold.server().plan(1, {0}).front());
  const Update theirs = fedavg.agent(0).update(fedavg.server().plan(1, {0}).front());
  EXPECT_TRUE(close(ours.belief[0], theirs.belief[0]));
  // Option II as the paper writes it, with plain steps and variates of 0: (y - x) / (L eta).
  EXPECT_TRUE(close(ours.belief[1], Matrix(ours.belief[0] / (50 * 0.2_r))));
}

TEST_F(Skewed, AnUpdateCountsOnceItIsFolded) {
  Federation made = federation("scaffold");
  AgentSide& agent = made.agent(0);
  const std::string fresh = agent.save();
  const Task task = made.server().plan(1, {0}).front();
  const Update update = agent.update(task);
  EXPECT_EQ(agent.state_size(), 6);
  EXPECT_TRUE(identical(agent.update(task).belief[1], update.belief[1]));
  agent.settle({.round = 1, .agent = 0, .folded = false, .weight = 0}, update);
  EXPECT_EQ(agent.save(), fresh);

  agent.update(task);
  const std::string waiting = agent.save();
  agent.settle({.round = 1, .agent = 0, .folded = true, .weight = 1}, update);
  EXPECT_NE(agent.save(), fresh);
  const std::string settled = agent.save();
  agent.restore(waiting);
  agent.settle({.round = 1, .agent = 0, .folded = true, .weight = 1}, update);
  EXPECT_EQ(agent.save(), settled);

  const LogisticRegression wider(5);
  const Matrix x = random_matrix(4, 5, 1);
  const Vector y = Vector::Ones(4);
  Federation other(
      algorithm_named("scaffold"), Settings(algorithm_named("scaffold").settings), wider, {Batch{x, y}}, {.seed = 1});
  EXPECT_THROW_MESSAGE(agent.restore(other.agent(0).save()), BadState, "1 x 6, expected 1 x 3");
  EXPECT_EQ(agent.save(), settled);
}

}  // namespace
}  // namespace fedstein
