// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/trial_data.h"

#include <filesystem>
#include <thread>

#include "experiment/small_experiment.h"
#include "fedstein/experiment/data_shelf.h"
#include "support/close.h"
#include "support/temporary_folder.h"
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
      "[experiment]\nname = \"t\"\npreset = \"paper\"\n[model]\ntype = \"gaussian-mixture-1d\"\n[[algorithm]]\ntype = "
      "\"dsvgd\"\n",
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

// Rows of a file of the user's own: 40 of two columns, a label and a group.
std::string own_rows() {
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 4) + "," +
            (i % 2 == 0 ? "-1" : "1") + "\n";
  }
  return rows;
}

Plan own_plan(const std::string& path, const std::string& more) {
  return parse_plan("[experiment]\nname = \"own\"\npreset = \"paper\"\ndataset = \"" + path +
                        "\"\nagents = 2\npartition = \"iid\"\n[data]\nlabels_from = [-1, 1]\nlabels_to = [-1, "
                        "1]\n[[algorithm]]\ntype = \"dsvgd\"\n" +
                        more,
                    "own.toml",
                    {});
}

struct Swept {
  const char* key;
  const char* first;
  const char* second;
};
class SweptData : public testing::TestWithParam<Swept> {};

// Whatever says how a file is read decides which rows there are: cases that differ in it must be read for themselves.
TEST_P(SweptData, CasesSeeTheirOwnRows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", own_rows());
  const auto with = [](const char* name, const char* value) {
    return std::string("[[case]]\nname = \"") + name + "\"\n" + GetParam().key + " = " + value + "\n";
  };
  const Plan plan = own_plan(path, with("first", GetParam().first) + with("second", GetParam().second));
  ASSERT_EQ(plan.cases.size(), 2U);
  DataShelf shelf("");
  // Both are held, as in a run of several threads.
  const auto first = shelf.trial(plan.cases[0], 1);
  const auto second = shelf.trial(plan.cases[1], 1);
  for (const auto& [case_plan, got] : {std::pair{&plan.cases[0], first}, std::pair{&plan.cases[1], second}}) {
    const TrialData expected = prepare_trial(*case_plan, load_planned(case_plan->dataset, "", 1), 1);
    EXPECT_TRUE(identical(got->x, expected.x)) << case_plan->name;
    EXPECT_TRUE(identical(got->y, expected.y)) << case_plan->name;
    EXPECT_EQ(got->sizes, expected.sizes) << case_plan->name;
    EXPECT_TRUE(identical(got->test_x, expected.test_x)) << case_plan->name;
  }
  const bool same = identical(first->x, second->x) && identical(first->y, second->y) && first->sizes == second->sizes;
  EXPECT_FALSE(same);
}

INSTANTIATE_TEST_SUITE_P(Keys,
                         SweptData,
                         testing::Values(Swept{"data.header", "false", "true"},
                                         Swept{"data.ignored_columns", "[0]", "[1]"},
                                         Swept{"data.group_column", "-1", "2"},
                                         Swept{"data.labels_to", "[-1, 1]", "[1, -1]"},
                                         Swept{"experiment.test_fraction", "0.2", "0.5"},
                                         Swept{"experiment.scaling", "\"none\"", "\"standardise\""},
                                         Swept{"experiment.agents", "2", "4"}),
                         [](const auto& tested) {
                           std::string name = tested.param.key;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

// Cases that differ in what is done with the rows afterwards need the file once.
TEST(DataShelf, ReadsAFileOnceForCasesThatDifferInTheirSplit) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", own_rows());
  const Plan plan = own_plan(path, "[sweep]\nexperiment.test_fraction = [0.2, 0.5]\n");
  DataShelf shelf("");
  const auto first = shelf.trial(plan.cases[0], 1);
  std::filesystem::remove(path);
  EXPECT_NE(shelf.trial(plan.cases[1], 1)->x.rows(), first->x.rows());
}

// What was read to be checked is what the run works with, until nobody needs it any more.
TEST(DataShelf, FilesThatWereCheckedAreNotReadAgain) {
  const TemporaryFolder folder;
  const std::string first = folder.write("first.csv", own_rows());
  const std::string second = folder.write("second.csv", own_rows() + own_rows());
  const std::string third = folder.write("third.csv", own_rows());
  std::string cases;
  for (const std::string& path : {first, second, third}) {
    cases += "[[case]]\nname = \"" + path + "\"\nexperiment.dataset = \"" + path + "\"\n";
  }
  const Plan plan = own_plan(first, cases);
  ASSERT_EQ(plan.cases.size(), 3U);
  DataShelf shelf("");
  shelf.read_own_files(plan);
  for (const std::string& path : {first, second, third}) std::filesystem::remove(path);
  for (const Index trial : {1, 2}) {
    for (const CasePlan& case_plan : plan.cases) {
      EXPECT_GT(shelf.trial(case_plan, trial_seed(plan.seed, trial))->x.rows(), 0) << case_plan.name;
    }
  }
  // The second is the largest and the third the newest, which the shelf keeps for other reasons.
  shelf.release(plan.cases[0].dataset);
  EXPECT_THROW(shelf.trial(plan.cases[0], 99), DataError);
}

TEST(DataShelf, SaysWhatIsWrongWithAFileBeforeAnyWork) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", own_rows() + "1,2,three,1\n");
  DataShelf shelf("");
  EXPECT_THROW_MESSAGE(shelf.read_own_files(own_plan(path, "")), DataError, "rows.csv:41:");
}

}  // namespace
}  // namespace fedstein
