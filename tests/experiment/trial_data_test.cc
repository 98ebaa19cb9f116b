// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/trial_data.h"

#include <thread>

#include "experiment/small_experiment.h"
#include "fedstein/experiment/data_shelf.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(TrialData, AgentsRowsLieTogether) {
  const Plan plan = small_plan();
  const Dataset dataset = load_planned(plan.cases[0].dataset, "", 3);
  const TrialData data = prepare_trial(plan.cases[0], dataset, 3);
  ASSERT_EQ(data.sizes.size(), 10U);
  EXPECT_EQ(data.x.rows(), 2000);
  EXPECT_EQ(data.test_x.rows(), 4000);
  const auto shards = data.shards();
  for (Index k = 0; k < 10; ++k) {
    // Agent k sees features 2k and 2k+1 only.
    const Matrix x = shards[static_cast<std::size_t>(k)].x;
    EXPECT_EQ(x.rows(), 200);
    EXPECT_GT(x.middleCols(2 * k, 2).cwiseAbs().minCoeff(), 0);
    EXPECT_EQ(x.leftCols(2 * k).cwiseAbs().sum() + x.rightCols(18 - 2 * k).cwiseAbs().sum(), 0);
  }
}

TEST(TrialData, TrialsOfNeighbouringSeedsDoNotMeet) {
  EXPECT_NE(trial_seed(1, 2), trial_seed(2, 1));
  EXPECT_NE(trial_seed(1, 1), trial_seed(1, 2));
}

TEST(TrialData, AToyHasOneFactorPerAgent) {
  const Plan plan = parse_plan(
      "[experiment]\nname = \"t\"\n[model]\ntype = \"gaussian-mixture-1d\"\n[[algorithm]]\ntype = \"dsvgd\"\n",
      "t.toml",
      {.check_data = false});
  const TrialData data = prepare_toy(plan.cases[0]);
  EXPECT_EQ(data.sizes, (std::vector<Index>{1, 1}));
  EXPECT_EQ(data.test_x.rows(), 0);
}

TEST(DataShelf, HoldsATrialOnceHoweverManyAskForIt) {
  const Plan plan = small_plan();
  DataShelf shelf("");
  std::shared_ptr<const TrialData> first;
  std::shared_ptr<const TrialData> second;
  std::thread other([&] { second = shelf.trial(plan.cases[0], 1); });
  first = shelf.trial(plan.cases[0], 1);
  other.join();
  EXPECT_EQ(first.get(), second.get());
  EXPECT_NE(shelf.trial(plan.cases[0], 2).get(), first.get());
  // Nobody needs it any more: it is gone.
  const std::weak_ptr<const TrialData> gone = first;
  first.reset();
  second.reset();
  EXPECT_TRUE(gone.expired());
}

TEST(DataShelf, SaysWhatItHolds) {
  const Plan plan = small_plan();
  DataShelf shelf("");
  EXPECT_FALSE(shelf.holds(plan.cases[0], 1));
  auto trial = shelf.trial(plan.cases[0], 1);
  EXPECT_TRUE(shelf.holds(plan.cases[0], 1));
  EXPECT_FALSE(shelf.holds(plan.cases[0], 2));
  trial.reset();
  EXPECT_FALSE(shelf.holds(plan.cases[0], 1));
}

TEST(DataShelf, CasesThatDifferInTheirMethodsShareTheirRows) {
  const Plan few = small_plan();
  const Plan many = small_plan({"hyperparameters.particles=9"});
  const Plan other_model = small_plan({"model.prior_scale=3"});
  DataShelf shelf("");
  const auto rows = shelf.trial(few.cases[0], 1);
  EXPECT_EQ(rows.get(), shelf.trial(many.cases[0], 1).get());
  EXPECT_NE(rows.get(), shelf.trial(other_model.cases[0], 1).get());
}

}  // namespace
}  // namespace fedstein
