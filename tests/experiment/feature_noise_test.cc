// SPDX-License-Identifier: Apache-2.0
// Rows that agents see through instruments of different quality.
#include <cmath>

#include "experiment/small_experiment.h"
#include "fedstein/experiment/data_shelf.h"
#include "support/close.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

struct Prepared {
  TrialData clean;
  TrialData noisy;
};

Prepared prepared(std::vector<std::string> overrides, const std::string& level, std::uint64_t seed = 3) {
  const Plan clean = small_plan(overrides);
  overrides.push_back("experiment.feature_noise=" + level);
  const Plan noisy = small_plan(overrides);
  const Dataset dataset = load_planned(clean.cases[0].dataset, "", seed);
  return {prepare_trial(clean.cases[0], dataset, seed), prepare_trial(noisy.cases[0], dataset, seed)};
}

// Of an agent's n numbers the mean square is within five of its deviations, sqrt(2 / n), of the variance.
void expect_variances(const Prepared& data, const Matrix& difference, const std::vector<Index>& sizes, double level) {
  Index begin = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const Matrix mine = difference.middleRows(begin, sizes[k]);
    const double variance = level * static_cast<double>(k + 1) / static_cast<double>(sizes.size());
    const auto count = static_cast<double>(mine.size());
    EXPECT_NEAR(mine.cast<double>().squaredNorm() / count, variance, 5 * std::sqrt(2 / count) * variance) << k;
    begin += sizes[k];
  }
  EXPECT_EQ(begin, difference.rows());
  EXPECT_EQ(data.clean.sizes, data.noisy.sizes);
}

TEST(FeatureNoise, EachAgentHasItsVarianceAndTestRowsAreClean) {
  for (const char* partition : {"by-column", "iid", "quantity", "dirichlet"}) {
    SCOPED_TRACE(partition);
    const Prepared data = prepared({"experiment.partition=\"" + std::string(partition) + "\""}, "0.5");
    expect_variances(data, data.noisy.x - data.clean.x, data.clean.sizes, 0.5);
    EXPECT_TRUE(identical(data.noisy.y, data.clean.y));
    EXPECT_TRUE(identical(data.noisy.test_x, data.clean.test_x));
    EXPECT_TRUE(identical(data.noisy.test_y, data.clean.test_y));
    EXPECT_EQ(data.noisy.scaling.shift, data.clean.scaling.shift);
    EXPECT_EQ(data.noisy.scaling.spread, data.clean.scaling.spread);
  }
}

// With standardised features too the noise is in units of what the model sees.
TEST(FeatureNoise, IsAddedAfterScaling) {
  const Prepared data = prepared({"experiment.partition=\"iid\"", "experiment.scaling=\"standardise\""}, "0.5");
  expect_variances(data, data.noisy.x - data.clean.x, data.clean.sizes, 0.5);
}

TEST(FeatureNoise, IsOnWhatAgentsKeepBack) {
  const Prepared data = prepared({"federation.validation=0.5"}, "0.5");
  ASSERT_EQ(data.clean.validation_x.rows(), 1000);
  expect_variances(data, data.noisy.x - data.clean.x, data.clean.sizes, 0.5);
  expect_variances(data, data.noisy.validation_x - data.clean.validation_x, std::vector<Index>(10, 100), 0.5);
}

TEST(FeatureNoise, IsAnotherOneInEveryTrial) {
  const Prepared one = prepared({}, "0.5", 3);
  const Prepared two = prepared({}, "0.5", 4);
  EXPECT_TRUE(identical(one.noisy.x, prepared({}, "0.5", 3).noisy.x));
  EXPECT_FALSE(identical(one.noisy.x - one.clean.x, two.noisy.x - two.clean.x));
}

TEST(FeatureNoise, TheShelfTellsLevelsApart) {
  DataShelf shelf("");
  const Plan plan = small_plan({"sweep.experiment.feature_noise=[0.0, 0.1, 0.2]"});
  ASSERT_EQ(plan.cases.size(), 3U);
  const auto none = shelf.trial(plan.cases[0], 1);
  const auto little = shelf.trial(plan.cases[1], 1);
  const auto more = shelf.trial(plan.cases[2], 1);
  EXPECT_FALSE(identical(none->x, little->x));
  EXPECT_FALSE(identical(little->x, more->x));
  EXPECT_EQ(little.get(), shelf.trial(plan.cases[1], 1).get());
}

TEST(FeatureNoise, RunsDoNotDependOnThreads) {
  const TemporaryFolder folder;
  const Plan plan = small_plan({"experiment.feature_noise=0.5", "experiment.partition=\"quantity\""});
  for (const int threads : {1, 3}) {
    RunStore store(folder.path(std::to_string(threads)), RunStore::Mode::kWrite);
    const RunId run = begin_run(plan, store, "");
    DataShelf shelf("");
    ASSERT_EQ(execute(plan, store, run, shelf, {.threads = threads}).failed_jobs, 0);
  }
  const Numbers one = numbers_of(folder.path("1"));
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(one, numbers_of(folder.path("3")));
}

}  // namespace
}  // namespace fedstein
