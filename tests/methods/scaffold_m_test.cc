// SPDX-License-Identifier: Apache-2.0
// SCAFFOLD-M: SCAFFOLD without momentum, and with it the optimum of all on skewed agents.
#include "fedstein/methods/scaffold_m.h"

#include <gtest/gtest.h>

#include "methods/skewed.h"
#include "support/close.h"

namespace fedstein {
namespace {

class ScaffoldM : public SkewedAgents {};

TEST_F(ScaffoldM, WithoutMomentumIsScaffold) {
  for (const char* weighting : {"rows", "uniform"}) {
    const SkewedValues values = {
        {"batch", Index{7}}, {"weighting", std::string(weighting)}, {"server_rate", 0.7}, {"local_steps", Index{10}}};
    SkewedValues ours = values;
    ours.emplace_back("beta", 1.0);
    const ListedSchedule some({{0, 1}, {1}, {0}});
    const Matrix expected = end_of(federation("scaffold", values), 12, some);
    EXPECT_TRUE(close(end_of(federation("scaffold-m", ours), 12, some), expected, 1e-4)) << weighting;
  }
}

TEST_F(ScaffoldM, FindsTheGlobalOptimumAndFedAvgDoesNot) {
  EXPECT_GT(slope_at(end_of("fedavg")), 0.02);
  const double found = slope_at(end_of(federation("scaffold-m", {{"learning_rate", 0.05}}), 400));
  RecordProperty("slope", std::to_string(found));
  EXPECT_LT(found, 1e-5);
}

TEST_F(ScaffoldM, FindsItWhenAgentsTakeTurns) {
  const ListedSchedule in_turn(std::vector<std::vector<Index>>{{0}, {1}});
  const SkewedValues values = {{"local_steps", Index{5}}, {"learning_rate", 0.05}};
  EXPECT_LT(slope_at(end_of(federation("scaffold-m", values), 800, in_turn)), 1e-3);
}

// The momentum that the server forms from c_k+ - c_k is the mean direction of the steps, (y - x) / (L eta).
TEST_F(ScaffoldM, TheMomentumIsTheMeanDirectionOfTheSteps) {
  Federation made = federation("scaffold-m", {{"batch", Index{7}}, {"beta", 0.3}});
  Index round = 0;
  for (const std::vector<Index>& agents : std::vector<std::vector<Index>>{{0, 1}, {1}, {0, 1}}) {
    ++round;
    const Matrix x = made.particles();
    const std::vector<Update> updates = updates_of(made, round, agents);
    Matrix mean = Matrix::Zero(1, 3);
    for (const Update& update : updates) {
      const Real share = agents.size() == 1 ? 1 : update.agent == 0 ? 2 / 3.0_r : 1 / 3.0_r;
      mean += share * (update.belief[0] - x) / (50 * 0.2_r);
    }
    fold_round(made, round, updates);
    EXPECT_TRUE(close(made.server().plan(9, {0}).front().belief[2], mean, 1e-4)) << round;
  }
}

// Its first rounds move less: of a step only beta is the gradient's while the momentum is 0.
TEST_F(ScaffoldM, TheFirstStepIsBetaOfScaffolds) {
  Federation ours = federation("scaffold-m", {{"local_steps", Index{1}}, {"beta", 0.25}});
  Federation theirs = federation("scaffold", {{"local_steps", Index{1}}});
  const Update found = updates_of(ours, 1, {0}).front(), expected = updates_of(theirs, 1, {0}).front();
  EXPECT_TRUE(close(found.belief[0], Matrix(0.25_r * expected.belief[0])));
  EXPECT_TRUE(close(found.belief[1], expected.belief[1]));
}

}  // namespace
}  // namespace fedstein
