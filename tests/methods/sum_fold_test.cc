// SPDX-License-Identifier: Apache-2.0
// Servers that fold a sum without seeing its parts: the same as folding the parts, up to the rounding of a different
// order of multiplication and addition.
#include "fedstein/federated/sum_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "fedstein/methods/methods.h"
#include "fedstein/methods/registry.h"
#include "fedstein/numeric/check.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// A few units in the last place of Real.
constexpr double kRounding = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon());

struct Variant {
  std::string algorithm;
  std::vector<std::string> settings = {};
};

class Summed : public testing::TestWithParam<Variant> {
 protected:
  Federation federation() const {
    const Algorithm& algorithm = algorithm_named(GetParam().algorithm);
    Settings settings(algorithm.settings);
    if (settings.has("local_steps")) settings.set("local_steps", Index{10});
    for (const std::string& setting : GetParam().settings) settings.set_from_text(setting);
    const Batch all{world_.x, world_.y};
    // Shards that differ in size: weights that were forgotten would show.
    return Federation(algorithm,
                      settings,
                      *world_.model,
                      {all.middle_rows(0, 5), all.middle_rows(5, 25), all.middle_rows(30, 10)},
                      {.seed = 4});
  }

  World world_ = logistic_world(false);
};

TEST_P(Summed, EqualsTheFoldOfItsParts) {
  Federation open = federation(), closed = federation();
  SumFold* sums = closed.server().sum_fold();
  ASSERT_NE(sums, nullptr);
  Index round = 0;
  for (const std::vector<Index>& agents : std::vector<std::vector<Index>>{{0, 1, 2}, {0, 2}, {1}, {0, 1, 2}}) {
    ++round;
    std::vector<Update> updates;
    for (const Task& task : open.server().plan(round, agents)) updates.push_back(open.agent(task.agent).update(task));
    const std::vector<Verdict> expected = open.server().fold(round, updates);
    const std::vector<Verdict> found = sums->fold_sum(round, sum_of(*sums, updates), agents);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].agent, expected[k].agent);
      EXPECT_EQ(found[k].round, round);
      EXPECT_TRUE(found[k].folded);
      EXPECT_NEAR(found[k].weight, expected[k].weight, 1e-12);
      open.agent(expected[k].agent).settle(expected[k], updates[k]);
    }
    const Belief after = open.server().plan(round + 1, {0}).front().belief;
    const Task summed = closed.server().plan(round + 1, {0}).front();
    for (std::size_t i = 0; i < after.size(); ++i) {
      const double scale = static_cast<double>(after[i].cwiseAbs().maxCoeff());
      EXPECT_LE((summed.belief[i] - after[i]).cwiseAbs().maxCoeff(), kRounding * scale) << "matrix " << i;
    }
    // The next round begins at the same place, so that the rounding does not grow from round to round.
    closed.server().restore(open.server().save());
  }
}

TEST_P(Summed, WhatCannotBeASumIsRefusedAndLeavesNoTrace) {
  Federation made = federation();
  SumFold* sums = made.server().sum_fold();
  const std::string before = made.server().save();
  std::vector<DoubleMatrix> sum;
  const Update update = made.agent(0).update(made.server().plan(1, {0}).front());
  for (const Matrix& part : update.belief) sum.emplace_back(part.cast<double>());
  EXPECT_THROW_MESSAGE(sums->fold_sum(1, sum, {}), InvalidArgument, "no agents");
  EXPECT_THROW_MESSAGE(sums->fold_sum(1, {}, {0}), InvalidArgument, "0 matrices, expected");
  std::vector<DoubleMatrix> other = sum;
  other.front() = DoubleMatrix::Zero(1, 1);
  EXPECT_THROW_MESSAGE(sums->fold_sum(1, other, {0}), InvalidArgument, "matrix 0 is 1 x 1, expected");
  sum.back()(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW_MESSAGE(sums->fold_sum(1, sum, {0}), Divergence, "of the sum is not finite");
  EXPECT_EQ(made.server().save(), before);
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         Summed,
                         testing::Values(Variant{"fedavg"},
                                         Variant{"fedavg", {"weighting=released"}},
                                         Variant{"fedprox"},
                                         Variant{"fedsgd"},
                                         Variant{"scaffold"},
                                         Variant{"scaffold", {"weighting=uniform", "server_rate=0.5"}},
                                         Variant{"scaffold-m"},
                                         Variant{"scaffold-m", {"weighting=uniform", "server_rate=0.5"}},
                                         Variant{"fedadagrad"},
                                         Variant{"fedadam"},
                                         Variant{"fedyogi", {"weighting=uniform"}},
                                         Variant{"fednova"},
                                         Variant{"fednova", {"local_epochs=2", "batch=4"}},
                                         Variant{"feddyn"},
                                         Variant{"mime"},
                                         Variant{"mime", {"lite=true"}},
                                         Variant{"pvi"},
                                         Variant{"fedep"},
                                         Variant{"p-dsvgd"},
                                         Variant{"p-dsvgd", {"damping=0.3"}},
                                         Variant{"p-dsvgd", {"factor=curvature"}},
                                         Variant{"p-dsvgd", {"factor=curvature", "damping=0.3"}}),
                         [](const auto& which) {
                           std::string name = which.param.algorithm + "_" + std::to_string(which.index);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(SumFold, ServersThatLookAtEveryUpdateHaveNone) {
  const World world = logistic_world(false);
  const Algorithm& parallel = algorithm_named("p-dsvgd");
  Settings settings(parallel.settings);
  settings.set("fold", std::string("svgd"));
  EXPECT_EQ(Federation(parallel, settings, *world.model, world.shards(), {.seed = 1}).server().sum_fold(), nullptr);
  const Algorithm& chains = algorithm_named("fsgld");
  EXPECT_EQ(
      Federation(chains, Settings(chains.settings), *world.model, world.shards(), {.seed = 1}).server().sum_fold(),
      nullptr);
}

// The weighted mean of agents without rows is nobody's: their weights are all 0.
TEST(SumFold, AgentsWithoutRowsCarryNoSum) {
  const World world = logistic_world(false);
  const Batch all{world.x, world.y};
  const Algorithm& fedavg = algorithm_named("fedavg");
  Federation made(fedavg, Settings(fedavg.settings), *world.model, {all, all.middle_rows(0, 0)}, {.seed = 1});
  SumFold* sums = made.server().sum_fold();
  EXPECT_EQ(sums->weights(1).front(), 0);
  EXPECT_THROW_MESSAGE(sums->fold_sum(1, {DoubleMatrix::Zero(1, 4)}, {1}), Divergence, "none of the round's agents");
}

TEST(SumFold, SumsThatNobodyCanMeanLeaveTheServerAsItWas) {
  const World world = logistic_world(false);
  Federation made(methods::pvi(), *world.model, world.shards(), {.seed = 1});
  SumFold* sums = made.server().sum_fold();
  ASSERT_NE(sums, nullptr);
  const std::string before = made.server().save();
  std::vector<DoubleMatrix> sum;
  const Belief belief = made.server().plan(1, {0}).front().belief;
  for (const Matrix& part : belief) sum.emplace_back(part.cast<double>());
  // Finite sums that the belief's numbers cannot hold; in double precision there are none.
  const std::vector<double> too_large =
      sizeof(Real) < sizeof(double) ? std::vector{1e300, -1e300} : std::vector<double>{};
  for (const double huge : too_large) {
    std::vector<DoubleMatrix> lie = sum;
    lie[1].setConstant(huge);
    EXPECT_THROW(sums->fold_sum(1, lie, {0}), Divergence) << huge;
  }
  EXPECT_THROW_MESSAGE(sums->fold_sum(1, sum, {0, 0}), InvalidArgument, "not ascending, each once");
  EXPECT_THROW(sums->fold_sum(1, sum, {-1}), InvalidArgument);
  EXPECT_EQ(made.server().save(), before);

  const Update one{1, 0, belief};
  const Update other{1, 1, {Matrix::Zero(1, 2), Matrix::Zero(1, 2)}};
  EXPECT_THROW_MESSAGE(sum_of(*sums, {one, other}), InvalidArgument, "differ in the shapes");
}

}  // namespace
}  // namespace fedstein
