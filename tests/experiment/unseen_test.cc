// SPDX-License-Identifier: Apache-2.0
// Foreign rows of a trial, and what a run says of them.
#include <gmock/gmock.h>

#include <algorithm>

#include "experiment/small_experiment.h"
#include "fedstein/data/registry.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/data_shelf.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Row i is of class i mod 4; its first column says which row it is.
Dataset four_classes() {
  Dataset out{"four", LabelKind::kMulticlass, random_matrix(80, 4, 1), Vector(80), 4, {}};
  for (Index i = 0; i < 80; ++i) {
    out.x(i, 0) = static_cast<Real>(i);
    out.y(i) = static_cast<Real>(i % 4);
  }
  return out;
}

Plan image_plan(std::vector<std::string> overrides = {}) {
  return parse_plan(
      "[experiment]\nname = \"t\"\ndataset = \"mnist\"\nscaling = \"none\"\ntest_fraction = 0.25\nagents = "
      "2\n[federation]\nvalidation = 0.2\n[[algorithm]]\ntype = \"dsvgd\"\n",
      "t.toml",
      {.check_data = false, .overrides = std::move(overrides)});
}

std::vector<Index> numbers_of_rows(const Matrix& x) {
  std::vector<Index> out;
  for (Index i = 0; i < x.rows(); ++i) out.push_back(static_cast<Index>(x(i, 0)));
  return out;
}

// The same without rows of class 2.
std::vector<Index> without_class_2(std::vector<Index> rows) {
  std::erase_if(rows, [](Index row) { return row % 4 == 2; });
  return rows;
}

TEST(UnseenClass, IsNeitherLearnedFromNorJudgedBy) {
  const Dataset dataset = four_classes();
  const TrialData all = prepare_trial(image_plan().cases[0], dataset, 5);
  const TrialData some = prepare_trial(image_plan({"experiment.unseen_class=2"}).cases[0], dataset, 5);
  EXPECT_TRUE(all.unseen.empty());
  for (const Vector* labels : {&some.y, &some.validation_y, &some.test_y}) {
    EXPECT_GT(labels->size(), 0);
    EXPECT_FALSE((labels->array() == 2).any());
  }
  EXPECT_EQ(some.x.rows() + some.validation_x.rows() + some.test_x.rows(), 60);
  EXPECT_EQ(some.sizes.size(), 2U);
  // What is judged by is what was, less the class; the rest of the test rows is foreign.
  EXPECT_EQ(numbers_of_rows(some.test_x), without_class_2(numbers_of_rows(all.test_x)));
  ASSERT_EQ(some.unseen.size(), 1U);
  EXPECT_EQ(some.unseen[0].name, "class");
  const std::vector<Index> foreign = numbers_of_rows(some.unseen[0].x);
  EXPECT_EQ(foreign.size(), static_cast<std::size_t>(all.test_x.rows() - some.test_x.rows()));
  for (const Index row : foreign) EXPECT_EQ(row % 4, 2);
  EXPECT_EQ(some.classes, 4) << "the model has room for all classes";
}

TEST(UnseenClass, MustLeaveSomethingToLearn) {
  Dataset dataset = four_classes();
  dataset.y.setConstant(2);
  const CasePlan plan = image_plan({"experiment.unseen_class=2"}).cases[0];
  EXPECT_THROW_MESSAGE(prepare_trial(plan, dataset, 5), InvalidArgument, "'four' has 0 rows to train on and 0 to test");
  dataset.y.setConstant(1);
  EXPECT_THROW_MESSAGE(prepare_trial(plan, dataset, 5), InvalidArgument, "'four' has no row of the unseen class");
}

// Of the generated set group k alone has values in columns 2k and 2k + 1; its test rows are nobody's.
TEST(UnseenGroup, IsNeitherLearnedFromNorJudgedBy) {
  const Plan plan = small_plan({"experiment.unseen_group=3", "experiment.agents=9"});
  const Dataset dataset = load_planned(plan.cases[0].dataset, "", 3);
  const TrialData data = prepare_trial(plan.cases[0], dataset, 3);
  EXPECT_EQ(data.x.rows(), 1800);
  EXPECT_EQ(data.x.middleCols(6, 2).cwiseAbs().sum(), 0);
  EXPECT_EQ(data.test_x.rows(), 4000);
  ASSERT_EQ(data.unseen.size(), 1U);
  EXPECT_EQ(data.unseen[0].name, "group");
  EXPECT_EQ(data.unseen[0].x.rows(), 200);
  EXPECT_GT(data.unseen[0].x.middleCols(6, 2).cwiseAbs().minCoeff(), 0);
  const CasePlan nobody = small_plan({"experiment.unseen_group=30"}).cases[0];
  EXPECT_THROW_MESSAGE(prepare_trial(nobody, dataset, 3), InvalidArgument, "no row of the unseen group");
}

TEST(ForeignRows, OfAnotherDatasetAreScaledAsTheTrialsOwn) {
  const Plan plan = parse_plan(
      "[experiment]\nname = \"t\"\ndataset = \"german\"\nscaling = \"standardise\"\ntest_fraction = 0.25\nagents = "
      "2\n[evaluation]\nunseen = [\"feature-skew\", \"inverted\"]\n[[algorithm]]\ntype = \"dsvgd\"\n",
      "t.toml",
      {.check_data = false});
  Dataset own{"german", LabelKind::kBinary, random_matrix(40, 20, 1), Vector::Ones(40), 2, {}};
  own.x = (3 * own.x).array() + 2;
  TrialData data = prepare_trial(plan.cases[0], own, 5);
  ForeignDatasets others("");
  add_unseen(plan.cases[0], others, 5, data);
  ASSERT_EQ(data.unseen.size(), 2U);
  EXPECT_EQ(data.unseen[0].name, "feature-skew");
  EXPECT_EQ(data.unseen[1].name, "inverted");
  EXPECT_EQ(data.unseen[1].x.rows(), 10);
  const Dataset other = load_dataset("feature-skew", "", 5);
  const std::vector<Index> test = default_split(find_dataset("feature-skew"), other, 5).test;
  ASSERT_EQ(data.unseen[0].x.rows(), 2000);
  for (const Index i : {0, 1999}) {
    const Index row = test[static_cast<std::size_t>(i)];
    const auto expected = (other.x.row(row).cast<double>().transpose() - data.scaling.shift).eval();
    EXPECT_TRUE(close(Vector(data.unseen[0].x.row(i).transpose()),
                      Vector((expected.array() / data.scaling.spread.array()).cast<Real>())));
  }
  EXPECT_EQ(others.test_rows("feature-skew", 5).get(), others.test_rows("feature-skew", 5).get());
}

TEST(ForeignRows, TheShelfTellsThemApart) {
  DataShelf shelf("");
  const auto none = shelf.trial(small_plan().cases[0], 1);
  const auto some = shelf.trial(small_plan({"evaluation.unseen=[\"far\", \"noise\"]"}).cases[0], 1);
  EXPECT_TRUE(none->unseen.empty());
  ASSERT_EQ(some->unseen.size(), 2U);
  EXPECT_EQ(some->unseen[0].x.rows(), 2000);
  EXPECT_FALSE(identical(some->unseen[0].x, some->test_x.topRows(2000)));
}

TEST(ForeignRows, FiguresStandInEvaluatedRounds) {
  const TemporaryFolder folder;
  const Plan plan =
      small_plan({"evaluation.unseen=[\"far\", \"shuffled\"]", "experiment.unseen_group=3", "experiment.agents=9"});
  {
    RunStore store(folder.path("store"), RunStore::Mode::kWrite);
    const RunId run = begin_run(plan, store, "");
    DataShelf shelf("");
    ASSERT_EQ(execute(plan, store, run, shelf, {.threads = 2}).failed_jobs, 0);
  }
  const RunResult result = load_results(RunStore(folder.path("store"), RunStore::Mode::kRead));
  for (const MethodResult& method : result.cases[0].methods) {
    for (const TrialResult& trial : method.trials) {
      for (const RoundRecord& record : trial.rounds) {
        for (const char* set : {"far", "shuffled", "group"}) {
          const bool judged = record.figures.contains(std::string("unseen@") + set);
          EXPECT_EQ(judged, record.round % 2 == 0) << set;
          EXPECT_EQ(record.figures.contains(std::string("unseen_total@") + set), judged) << set;
        }
      }
      // A single particle has nobody to disagree with.
      const double far = trial.rounds.back().figures.at("unseen@far");
      EXPECT_EQ(far == 0.5, method.label == "fedavg") << far;
    }
  }
  const Comparison comparison = compare(result);
  EXPECT_THAT(comparison_json(comparison), testing::HasSubstr("unseen_total@group"));
  EXPECT_THAT(comparison_text(comparison, false), testing::Not(testing::HasSubstr("unseen")));
}

}  // namespace
}  // namespace fedstein
