// SPDX-License-Identifier: Apache-2.0
// FedNova: FedAvg where everybody takes as many steps, the loss of all where they do not.
#include "fedstein/methods/fednova.h"

#include <gtest/gtest.h>

#include "methods/skewed.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

class FedNova : public SkewedAgents {};

TEST_F(FedNova, WithEqualStepsIsFedAvg) {
  Federation nova = federation("fednova", {{"batch", Index{7}}});
  Federation fedavg = federation("fedavg", {{"batch", Index{7}}});
  EXPECT_TRUE(close(end_of(std::move(nova), 10), end_of(std::move(fedavg), 10), 1e-5));
}

TEST_F(FedNova, StepsFollowRowsBatchAndEpochs) {
  FedNovaSetup setup;
  setup.local_steps = 9;
  setup.batch = 20;
  EXPECT_EQ(local_steps_of(60, setup), 9);
  setup.local_epochs = 2;
  EXPECT_EQ(local_steps_of(60, setup), 6);
  EXPECT_EQ(local_steps_of(50, setup), 5);
  EXPECT_EQ(local_steps_of(51, setup), 6);  // 102 rows in batches of 20
  EXPECT_EQ(local_steps_of(7, setup), 2);   // batches of 7
  EXPECT_EQ(local_steps_of(0, setup), 0);
}

TEST_F(FedNova, TheServerTakesTheMeanOfMovesPerStep) {
  // tau: 60 rows in batches of 10 are 6 steps, 30 are 3. tau_S = 2/3 6 + 1/3 3 = 5.
  Federation made = federation("fednova", {{"batch", Index{10}}, {"local_epochs", Index{1}}});
  for (Index round = 1; round <= 2; ++round) {
    const Matrix x = made.server().particles();
    const std::vector<Update> updates = updates_of(made, round, {0, 1});
    fold_round(made, round, updates);
    const Matrix per_step = 2 / 3.0_r * (updates[0].belief[0] - x) / 6 + 1 / 3.0_r * (updates[1].belief[0] - x) / 3;
    EXPECT_TRUE(close(made.server().particles(), Matrix(x + 5 * per_step), 1e-5)) << round;
  }
}

// Objective inconsistency: agent 0 takes twice the steps. The same agents under FedAvg's mean end where agent 0 counts
// twice; steps are small, so that drift is not the reason.
TEST_F(FedNova, FindsTheOptimumWhereStepsDifferAndTheMeanDoesNot) {
  const SkewedValues values = {{"batch", Index{30}}, {"local_epochs", Index{1}}, {"learning_rate", 0.02}};
  const double nova = slope_at(end_of(federation("fednova", values), 2000));

  Federation made = federation("fednova", values);
  const std::vector<Task> tasks = made.server().plan(1, {0, 1});
  Matrix mean = tasks[0].belief[0];
  for (Index round = 1; round <= 2000; ++round) {
    const Update big = made.agent(0).update({round, 0, round - 1, {mean}, std::nullopt});
    const Update small = made.agent(1).update({round, 1, round - 1, {mean}, std::nullopt});
    mean = 2 / 3.0_r * big.belief[0] + 1 / 3.0_r * small.belief[0];
  }
  RecordProperty("fednova", std::to_string(nova));
  RecordProperty("mean", std::to_string(slope_at(mean)));
  EXPECT_LT(nova, 0.01);
  EXPECT_GT(slope_at(mean), 3 * nova);
}

TEST_F(FedNova, AgentsWithoutRowsDoNotCount) {
  std::vector<Batch> whose = shards();
  whose.push_back(all().middle_rows(0, 0));
  const SkewedValues values = {{"batch", Index{10}}, {"local_epochs", Index{1}}};
  Federation with = federation_of(whose, "fednova", values), without = federation("fednova", values);
  fold_round(with, 1, updates_of(with, 1, {0, 1, 2}));
  fold_round(without, 1, updates_of(without, 1, {0, 1}));
  EXPECT_TRUE(close(with.particles(), without.particles(), 1e-6));
}

}  // namespace
}  // namespace fedstein
