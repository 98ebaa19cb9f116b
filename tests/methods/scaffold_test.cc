// SPDX-License-Identifier: Apache-2.0
// SCAFFOLD against FedAvg on agents whose losses have different optima and curvatures.
#include <gtest/gtest.h>

#include "fedstein/federated/state.h"
#include "fedstein/methods/scaffold.h"
#include "methods/skewed.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Values = SkewedValues;
using Skewed = SkewedAgents;

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
