// SPDX-License-Identifier: Apache-2.0
// The partition "quantity": agents that differ in how many rows they have, and in nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "data/small_sets.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

PartitionOptions quantity_of(Index agents, double alpha, std::uint64_t seed = 1) {
  return {.kind = PartitionKind::kQuantity, .agents = agents, .seed = seed, .alpha = alpha};
}

// E q = 1/K and Var q = (K - 1) / (K^2 (K alpha + 1)) for a share q of Dirichlet(alpha, ..., alpha).
TEST(Quantity, SizesHaveTheMomentsOfADirichlet) {
  constexpr Index kRows = 1000;
  constexpr int kAgents = 5;
  constexpr int kDraws = 1000;
  const Dataset set = striped_set(kRows, 2, 1);
  for (const double alpha : {0.5, 5.0}) {
    double sum = 0;
    double squares = 0;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const Shards shards = partition(set, all_rows(kRows), quantity_of(kAgents, alpha, seed));
      ASSERT_EQ(gathered(shards), all_rows(kRows));
      const double share = static_cast<double>(shards[2].size()) / kRows;
      sum += share;
      squares += share * share;
    }
    const double mean = sum / kDraws;
    const double variance = (kAgents - 1) / (kAgents * kAgents * (kAgents * alpha + 1));
    EXPECT_NEAR(mean, 0.2, 4 * std::sqrt(variance / kDraws)) << alpha;
    EXPECT_NEAR(squares / kDraws - mean * mean, variance, 0.15 * variance) << alpha;
  }
}

// Each agent's share of class 0 differs from the whole's by no more than chance does: five deviations.
TEST(Quantity, LabelsAreAlikeHoweverSizesDiffer) {
  const Dataset set = striped_set(10000, 4);
  const Shards shards = partition(set, all_rows(10000), quantity_of(10, 0.5));
  std::size_t fewest = 10000;
  std::size_t most = 0;
  for (const auto& shard : shards) {
    const auto size = static_cast<double>(shard.size());
    const double share = static_cast<double>(class_counts(set, shard)[0]) / size;
    EXPECT_NEAR(share, 0.25, 5 * std::sqrt(0.25 * 0.75 / size));
    fewest = std::min(fewest, shard.size());
    most = std::max(most, shard.size());
  }
  EXPECT_GT(most, 5 * fewest);
}

TEST(Quantity, DividesARegressionToo) {
  Dataset set = striped_set(100, 2);
  set.labels = LabelKind::kRegression;
  const Shards shards = partition(set, all_rows(100), quantity_of(4, 1));
  EXPECT_EQ(gathered(shards), all_rows(100));
}

TEST(Quantity, NobodyIsEmptyEvenIfOneAgentDrewAll) {
  const Dataset set = striped_set(50, 2);
  const Shards shards = partition(set, all_rows(50), quantity_of(20, 1e-6));
  EXPECT_EQ(gathered(shards), all_rows(50));
  std::size_t ones = 0;
  std::size_t most = 0;
  for (const auto& shard : shards) {
    ASSERT_GE(shard.size(), 1U);
    if (shard.size() == 1) ++ones;
    most = std::max(most, shard.size());
  }
  EXPECT_EQ(ones, 19U);
  EXPECT_EQ(most, 31U);
}

TEST(Quantity, RefusesAnAlphaOutOfItsRange) {
  const Dataset set = striped_set(10, 2);
  for (const double alpha : {0.0, 1e7, std::nan("")}) {
    EXPECT_THROW_MESSAGE(
        partition(set, all_rows(10), quantity_of(2, alpha)), InvalidArgument, "it must lie in 1e-6 to 1e6");
  }
}

}  // namespace
}  // namespace fedstein
