// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/feature_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Matrix noise_of(const FeatureNoise& noise, NoisyRows which = NoisyRows::kLearned, Index rows = 2000) {
  Matrix x = Matrix::Zero(rows, 10);
  add_feature_noise(noise, which, x);
  return x;
}

// Of 20000 normal numbers the mean square is within 4 percent of the variance, four of its deviations.
TEST(FeatureNoise, AgentKOfKAgentsHasTheVarianceOfTheStudy) {
  for (Index agent = 0; agent < 4; ++agent) {
    const Matrix x = noise_of({.level = 0.4, .agent = agent, .agents = 4, .seed = 5});
    const double variance = 0.1 * static_cast<double>(agent + 1);
    EXPECT_NEAR(x.cast<double>().squaredNorm() / 20000, variance, 0.04 * variance) << agent;
    EXPECT_NEAR(x.cast<double>().mean(), 0, 4 * std::sqrt(variance / 20000)) << agent;
  }
}

TEST(FeatureNoise, IsAddedToWhatIsThere) {
  const FeatureNoise noise{.level = 1, .agent = 1, .agents = 2, .seed = 5};
  Matrix x = Matrix::Constant(2000, 10, 3);
  add_feature_noise(noise, NoisyRows::kLearned, x);
  EXPECT_LT((x - noise_of(noise)).array().abs().maxCoeff() - 3, 1e-5);
  EXPECT_GT((x - noise_of(noise)).array().abs().minCoeff() - 3, -1e-5);
}

TEST(FeatureNoise, LevelNoughtLeavesRowsAsTheyAre) {
  EXPECT_EQ(noise_of({.level = 0, .agent = 0, .agents = 1, .seed = 5}).cwiseAbs().maxCoeff(), 0);
}

// Another seed, another agent and other rows: other numbers. The same: the same ones.
TEST(FeatureNoise, HasAStreamForEverySeedAndAgentAndUseOfRows) {
  const FeatureNoise noise{.level = 1, .agent = 1, .agents = 4, .seed = 5};
  FeatureNoise seed = noise;
  seed.seed = 6;
  FeatureNoise agent = noise;
  agent.agent = 2;
  agent.agents = 6;  // the same variance
  const Matrix x = noise_of(noise);
  EXPECT_TRUE(identical(x, noise_of(noise)));
  EXPECT_FALSE(identical(x, noise_of(seed)));
  EXPECT_FALSE(identical(x, noise_of(agent)));
  EXPECT_FALSE(identical(x, noise_of(noise, NoisyRows::kKeptBack)));
  // A row's noise does not depend on how many come after it.
  EXPECT_TRUE(identical(x.topRows(7), noise_of(noise, NoisyRows::kLearned, 7)));
}

TEST(FeatureNoise, AllAgentsAtOnceIsEachByItself) {
  const std::vector<Index> sizes = {3, 0, 5};
  Matrix all = Matrix::Zero(8, 10);
  add_feature_noise(0.3, 5, NoisyRows::kKeptBack, sizes, all);
  Matrix expected(8, 10);
  expected.topRows(3) = noise_of({.level = 0.3, .agent = 0, .agents = 3, .seed = 5}, NoisyRows::kKeptBack, 3);
  expected.bottomRows(5) = noise_of({.level = 0.3, .agent = 2, .agents = 3, .seed = 5}, NoisyRows::kKeptBack, 5);
  EXPECT_TRUE(identical(all, expected));
}

TEST(FeatureNoise, RefusesWhatMakesNoSense) {
  EXPECT_THROW_MESSAGE(noise_of({.level = -1}), InvalidArgument, "level is -1; it must be a number of at least 0");
  EXPECT_THROW_MESSAGE(noise_of({.level = std::numeric_limits<double>::infinity()}), InvalidArgument, "level is inf");
  EXPECT_THROW_MESSAGE(noise_of({.level = std::nan("")}), InvalidArgument, "level is nan");
  EXPECT_THROW_MESSAGE(noise_of({.level = 1, .agent = 2, .agents = 2}), InvalidArgument, "agent is 2 of 2");
  EXPECT_THROW_MESSAGE(noise_of({.level = 1, .agent = -1, .agents = 2}), InvalidArgument, "agent is -1 of 2");
  Matrix x = Matrix::Zero(8, 10);
  const std::vector<Index> sizes = {3, 6};
  EXPECT_THROW_MESSAGE(
      add_feature_noise(0.3, 5, NoisyRows::kLearned, sizes, x), InvalidArgument, "the agents have 9 rows; x has 8");
}

}  // namespace
}  // namespace fedstein
