// SPDX-License-Identifier: Apache-2.0
// Mime and MimeLite: where they must be plain training, and what the correction buys on skewed agents.
#include "fedstein/methods/mime.h"

#include <gtest/gtest.h>

#include "fedstein/numeric/check.h"
#include "methods/skewed.h"
#include "support/close.h"

namespace fedstein {
namespace {

class Mime : public SkewedAgents {};

// With one agent and all rows in every step, score(y) - score(x) + c is score(y). Two exchanges are a round of FedAvg.
TEST_F(Mime, OfOneAgentWithoutMomentumIsPlainTraining) {
  const SkewedValues values = {{"momentum", 0.0}, {"local_steps", Index{8}}};
  const ListedSchedule alone(std::vector<std::vector<Index>>{{0}});
  const Matrix expected = end_of(federation_of({all()}, "fedavg", {{"local_steps", Index{8}}}), 5, alone);
  EXPECT_TRUE(close(end_of(federation_of({all()}, "mime", values), 10, alone), expected, 1e-5));
  SkewedValues lite = values;
  lite.emplace_back("lite", true);
  EXPECT_TRUE(close(end_of(federation_of({all()}, "mime", lite), 5, alone), expected, 1e-5));
}

// With one step a round it is momentum SGD on the loss of all rows, whatever the split.
TEST_F(Mime, WithOneStepIsMomentumOnTheLossOfAll) {
  const SkewedValues values = {{"momentum", 0.8}, {"local_steps", Index{1}}, {"batch", Index{7}}};
  DoubleMatrix x = DoubleMatrix::Zero(1, 3), m = x;
  for (int pair = 0; pair < 6; ++pair) {
    Matrix c = Matrix::Zero(1, 3);
    model_.add_likelihood_score(x.cast<Real>(), all(), 1 / 90.0, c);
    m = 0.8 * m + 0.2 * c.cast<double>();
    x += 0.2 * m;
  }
  EXPECT_TRUE(close(end_of(federation("mime", values), 12), Matrix(x.cast<Real>()), 1e-5));
}

TEST_F(Mime, FindsTheGlobalOptimumAndLiteDriftsAsFedAvg) {
  EXPECT_GT(slope_at(end_of("fedavg")), 0.02);
  const SkewedValues values = {{"local_steps", Index{10}}};
  const double full = slope_at(end_of(federation("mime", values), 300));
  const double lite = slope_at(end_of(federation("mime", {{"local_steps", Index{10}}, {"lite", true}}), 300));
  RecordProperty("full", std::to_string(full));
  RecordProperty("lite", std::to_string(lite));
  EXPECT_LT(full, 1e-3);
  EXPECT_GT(lite, 5 * full);
}

TEST_F(Mime, TheFirstExchangeMovesNothingAndTheSecondDoes) {
  Federation made = federation("mime");
  const Matrix start = made.particles();
  const std::vector<Update> scores = updates_of(made, 1, {0, 1});
  Matrix expected = Matrix::Zero(1, 3);
  model_.add_likelihood_score(start, shards()[1], 1 / 30.0, expected);
  EXPECT_TRUE(close(scores[1].belief[0], expected));
  fold_round(made, 1, scores);
  EXPECT_TRUE(identical(made.particles(), start));
  fold_round(made, 2, updates_of(made, 2, {0, 1}));
  EXPECT_FALSE(identical(made.particles(), start));
}

// A round that nobody answered is no exchange: the next one asks for the same thing.
TEST_F(Mime, ALostRoundIsAskedForAgain) {
  Federation quiet = federation("mime"), broken = federation("mime");
  fold_round(quiet, 1, updates_of(quiet, 1, {0, 1}));
  updates_of(broken, 1, {0, 1});
  fold_round(broken, 2, updates_of(broken, 2, {0, 1}));
  EXPECT_EQ(quiet.server().save(), broken.server().save());
}

}  // namespace
}  // namespace fedstein
