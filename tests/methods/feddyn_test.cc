// SPDX-License-Identifier: Apache-2.0
// FedDyn: the optimum of all on skewed agents, its agents and its server by the paper's equations.
#include "fedstein/methods/feddyn.h"

#include <gtest/gtest.h>

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"
#include "methods/skewed.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class FedDyn : public SkewedAgents {
 protected:
  const SkewedValues uniform_ = {{"weighting", std::string("uniform")}, {"alpha", 0.1}};
};

TEST_F(FedDyn, FindsTheOptimumOfAllRowsAndFedAvgDoesNot) {
  EXPECT_GT(slope_at(end_of("fedavg")), 0.02);
  const double found = slope_at(end_of("feddyn", {{"alpha", 0.1}}));
  RecordProperty("slope", std::to_string(found));
  EXPECT_LT(found, 1e-5);
}

TEST_F(FedDyn, FindsItWhenAgentsTakeTurns) {
  const ListedSchedule in_turn(std::vector<std::vector<Index>>{{0}, {1}});
  EXPECT_LT(slope_at(end_of("feddyn", {{"alpha", 0.1}}, in_turn)), 5e-3);
}

TEST_F(FedDyn, UniformWeightingMinimisesTheMeanOfTheAgentsLosses) {
  const Matrix w = end_of("feddyn", uniform_);
  Matrix score = Matrix::Zero(1, 3);
  model_.add_likelihood_score(w, shards()[0], 1 / 60.0, score);
  model_.add_likelihood_score(w, shards()[1], 1 / 30.0, score);
  EXPECT_LT(score.norm(), 1e-3);
  EXPECT_GT(slope_at(w), 0.01);
}

// By rows its pull would be 22.5, which steps of 0.2 turn into numbers that are not finite. Bounded, it counts a little
// more than its row.
TEST_F(FedDyn, AnAgentWithOneRowDoesNotDiverge) {
  const std::vector<Batch> whose = {all().middle_rows(0, 89), all().middle_rows(89, 1)};
  const double found = slope_at(end_of(federation_of(whose, "feddyn", {{"alpha", 0.5}}), 150));
  RecordProperty("slope", std::to_string(found));
  EXPECT_LT(found, 0.2 * slope_at(Matrix::Zero(1, 3)));
}

// A pull of nothing leaves FedAvg's agents. The server adds up their moves whatever alpha is: x = mean y + H.
TEST_F(FedDyn, WithoutAPullAgentsAreFedAvgsAndTheServerAddsUpMoves) {
  Federation dyn = federation("feddyn", {{"alpha", 1e-12}, {"weighting", std::string("uniform")}});
  Federation fedavg = federation("fedavg");
  Matrix moves = Matrix::Zero(1, 3);
  for (Index round = 1; round <= 3; ++round) {
    const Matrix x = dyn.particles();
    const std::vector<Update> updates = updates_of(dyn, round, {0, 1});
    for (const Update& update : updates) {
      const Task same{round, update.agent, round - 1, {x}, std::nullopt};
      EXPECT_TRUE(close(update.belief[0], fedavg.agent(update.agent).update(same).belief[0], 1e-6)) << round;
    }
    const Matrix mean = (updates[0].belief[0] + updates[1].belief[0]) / 2;
    moves += mean - x;
    fold_round(dyn, round, updates);
    EXPECT_TRUE(close(dyn.particles(), Matrix(mean + moves), 1e-5)) << round;
  }
}

// The paper's form, with g_k and h, in double precision: one agent of two takes part in the second round.
TEST_F(FedDyn, IsThePapersAlgorithm) {
  const double alpha = 0.3, eta = 0.2;
  Federation made =
      federation("feddyn", {{"alpha", alpha}, {"weighting", std::string("uniform")}, {"local_steps", Index{4}}});
  std::vector<DoubleMatrix> g(2, DoubleMatrix::Zero(1, 3));
  DoubleMatrix x = DoubleMatrix::Zero(1, 3), h = x;
  Index round = 0;
  for (const std::vector<Index>& agents : std::vector<std::vector<Index>>{{0, 1}, {1}, {0, 1}}) {
    DoubleMatrix mean = DoubleMatrix::Zero(1, 3), moves = mean;
    for (const Index k : agents) {
      const Batch rows = shards()[static_cast<std::size_t>(k)];
      DoubleMatrix& own = g[static_cast<std::size_t>(k)];
      DoubleMatrix y = x;
      for (int step = 0; step < 4; ++step) {
        Matrix score = Matrix::Zero(1, 3);
        model_.add_likelihood_score(y.cast<Real>(), rows, 1 / static_cast<double>(rows.rows()), score);
        y -= eta * (-score.cast<double>() - own + alpha * (y - x));
      }
      own -= alpha * (y - x);
      mean += y / static_cast<double>(agents.size());
      moves += y - x;
    }
    h -= alpha / 2 * moves;
    x = mean - h / alpha;
    ++round;
    fold_round(made, round, updates_of(made, round, agents));
    EXPECT_TRUE(close(made.particles(), Matrix(x.cast<Real>()), 1e-4)) << round;
  }
}

TEST_F(FedDyn, AnUpdateCountsOnceItIsFoldedAndAsItWasSent) {
  Federation made = federation("feddyn");
  AgentSide& agent = made.agent(0);
  const std::string fresh = agent.save();
  const Task task = made.server().plan(1, {0}).front();
  Update sent = agent.update(task);
  EXPECT_EQ(agent.state_size(), 6);
  agent.settle({.round = 1, .agent = 0, .folded = false, .weight = 0}, sent);
  EXPECT_EQ(agent.save(), fresh);

  agent.update(task);
  sent.belief[0].array() += 0.25_r;
  agent.settle({.round = 1, .agent = 0, .folded = true, .weight = 1}, sent);
  const std::string bytes = agent.save();
  EXPECT_TRUE(close(StateReader(bytes, "feddyn agent").matrix(), Matrix(sent.belief[0] - task.belief[0])));
}

}  // namespace
}  // namespace fedstein
