// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/partition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "data/small_sets.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/rng.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using Kind = PartitionKind;

std::size_t smallest(const Shards& shards) {
  std::size_t out = shards.front().size();
  for (const auto& shard : shards) out = std::min(out, shard.size());
  return out;
}

std::size_t largest(const Shards& shards) {
  std::size_t out = 0;
  for (const auto& shard : shards) out = std::max(out, shard.size());
  return out;
}

// A random set, some of its rows in random order, and options of every kind that fit them.
struct Case {
  Dataset set;
  std::vector<Index> rows;
  PartitionOptions options;
};

Case random_case() {
  const Index classes = *rc::gen::inRange<Index>(2, 6);
  const Index count = *rc::gen::inRange<Index>(60, 300);
  Case out{striped_set(count, classes, 1), {}, {}};
  for (Index row = 0; row < count; ++row) out.set.group.push_back((row * row) % 7);
  out.rows = Rng({.seed = *rc::gen::arbitrary<std::uint64_t>()}).permutation(count);
  out.rows.resize(static_cast<std::size_t>(count - count / 5));
  out.options.seed = *rc::gen::arbitrary<std::uint64_t>();
  out.options.kind =
      *rc::gen::element(Kind::kIid, Kind::kClassesPerAgent, Kind::kDirichlet, Kind::kQuantity, Kind::kByGroup);
  if (classes == 2 && *rc::gen::arbitrary<bool>()) out.options.kind = Kind::kLabelFractions;
  out.options.classes = *rc::gen::inRange<Index>(1, classes + 1);
  out.options.alpha = *rc::gen::element(0.001, 0.1, 1.0, 100.0);
  out.options.heavy_share = *rc::gen::element(0.5, 0.8, 0.9);
  out.options.agents = *rc::gen::inRange<Index>(1, 5) * 2;
  if (out.options.kind == Kind::kByGroup) out.options.agents = *rc::gen::inRange<Index>(0, 4);
  if (out.options.kind == Kind::kClassesPerAgent) out.options.agents = *rc::gen::inRange<Index>(classes, 9);
  return out;
}

RC_GTEST_PROP(PartitionProperty, LosesAndDuplicatesNothingAndLeavesNobodyEmpty, ()) {
  const Case some = random_case();
  RC_TAG(std::string(partition_name(some.options.kind)));
  const Shards shards = partition(some.set, some.rows, some.options);
  RC_ASSERT(gathered(shards) == sorted(some.rows));
  RC_ASSERT(smallest(shards) >= 1U);
  if (some.options.agents > 0) RC_ASSERT(static_cast<Index>(shards.size()) == some.options.agents);
}

RC_GTEST_PROP(PartitionProperty, IsDeterminedByTheSeed, ()) {
  const Case some = random_case();
  RC_ASSERT(partition(some.set, some.rows, some.options) == partition(some.set, some.rows, some.options));
}

RC_GTEST_PROP(PartitionProperty, IidSizesDifferByAtMostOne, ()) {
  const Index count = *rc::gen::inRange<Index>(1, 300);
  const Index agents = *rc::gen::inRange<Index>(1, count + 1);
  const Dataset set = striped_set(count, 2, 1);
  const Shards shards = partition(set, all_rows(count), {.agents = agents});
  RC_ASSERT(largest(shards) - smallest(shards) <= 1U);
  RC_ASSERT(gathered(shards) == all_rows(count));
}

TEST(Partition, AnotherSeedGivesAnotherPartition) {
  const Dataset set = striped_set(100, 2);
  for (const Kind kind :
       {Kind::kIid, Kind::kLabelFractions, Kind::kClassesPerAgent, Kind::kDirichlet, Kind::kQuantity}) {
    PartitionOptions options{.kind = kind, .agents = 4, .seed = 1};
    const Shards one = partition(set, all_rows(100), options);
    options.seed = 2;
    EXPECT_NE(one, partition(set, all_rows(100), options)) << partition_name(kind);
  }
}

TEST(Partition, ThePapersFourAgentsHoldFortyAndTenPercent) {
  const Dataset set = striped_set(2000, 2);
  const Shards shards = partition(set, all_rows(2000), {.kind = Kind::kLabelFractions, .agents = 4, .seed = 3});
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<Index> expected = k < 2 ? std::vector<Index>{400, 100} : std::vector<Index>{100, 400};
    EXPECT_EQ(class_counts(set, shards[k]), expected) << "agent " << k;
  }
}

TEST(Partition, LabelFractionsShareOutForAnyEvenNumberOfAgents) {
  const Dataset set = striped_set(2000, 2);
  const Shards two = partition(set, all_rows(2000), {.kind = Kind::kLabelFractions, .agents = 2});
  EXPECT_EQ(class_counts(set, two[0]), (std::vector<Index>{800, 200}));
  const Shards twenty = partition(set, all_rows(2000), {.kind = Kind::kLabelFractions, .agents = 20});
  EXPECT_EQ(class_counts(set, twenty[3]), (std::vector<Index>{80, 20}));
  EXPECT_EQ(class_counts(set, twenty[19]), (std::vector<Index>{20, 80}));
  const Shards equal = partition(set, all_rows(2000), {.kind = Kind::kLabelFractions, .agents = 4, .heavy_share = 0.5});
  for (const auto& shard : equal) EXPECT_EQ(class_counts(set, shard), (std::vector<Index>{250, 250}));
}

TEST(Partition, EveryAgentHoldsExactlyTheClassesAskedFor) {
  const Dataset set = striped_set(1000, 10);
  for (const Index agents : {5, 7, 20}) {
    const Shards shards =
        partition(set, all_rows(1000), {.kind = Kind::kClassesPerAgent, .agents = agents, .classes = 2});
    for (const auto& shard : shards) {
      std::set<Index> held;
      for (const Index row : shard) held.insert(class_of(set, row));
      EXPECT_EQ(held.size(), 2U);
    }
  }
}

TEST(Partition, SmallAlphaIsSkewedAndLargeAlphaIsEven) {
  const Dataset set = striped_set(10000, 2, 1);
  const auto spread = [&set](double alpha) {
    const Shards shards =
        partition(set, all_rows(10000), {.kind = Kind::kDirichlet, .agents = 10, .seed = 5, .alpha = alpha});
    return static_cast<double>(largest(shards)) / static_cast<double>(smallest(shards));
  };
  EXPECT_LT(spread(1e4), 1.1);
  EXPECT_GT(spread(0.1), 20);
}

// E p = 1/K and Var p = (K - 1) / (K^2 (K alpha + 1)) for a share p of Dirichlet(alpha, ..., alpha).
TEST(Partition, DirichletSharesHaveTheRightMoments) {
  const Dataset set = striped_set(4000, 2, 1);
  constexpr int kAgents = 4;
  constexpr int kDraws = 400;
  const double alpha = 0.5;
  double sum = 0;
  double squares = 0;
  for (int seed = 0; seed < kDraws; ++seed) {
    const Shards shards = partition(
        set,
        all_rows(4000),
        {.kind = Kind::kDirichlet, .agents = kAgents, .seed = static_cast<std::uint64_t>(seed), .alpha = alpha});
    const double share = static_cast<double>(class_counts(set, shards[1])[0]) / 2000;
    sum += share;
    squares += share * share;
  }
  const double mean = sum / kDraws;
  const double variance = (kAgents - 1) / (kAgents * kAgents * (kAgents * alpha + 1));
  EXPECT_NEAR(mean, 0.25, 4 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(squares / kDraws - mean * mean, variance, 0.15 * variance);
}

TEST(Partition, NobodyIsEmptyEvenWithAsManyAgentsAsRows) {
  const Dataset set = striped_set(50, 2);
  const Shards shards = partition(set, all_rows(50), {.kind = Kind::kDirichlet, .agents = 50, .alpha = 1e-6});
  EXPECT_EQ(smallest(shards), 1U);
  EXPECT_EQ(gathered(shards), all_rows(50));
}

TEST(Partition, GroupsBecomeAgentsInAscendingOrder) {
  const Dataset set = grouped_set({9, 4, 9, 7, 4, 9});
  const Shards expected = {{1, 4}, {3}, {0, 2, 5}};
  EXPECT_EQ(partition(set, all_rows(6), {.kind = Kind::kByGroup, .agents = 0}), expected);
  EXPECT_EQ(partition(set, all_rows(6), {.kind = Kind::kByGroup, .agents = 3}), expected);
  const Shards merged = {{0, 2, 5}, {1, 4, 3}};
  EXPECT_EQ(partition(set, all_rows(6), {.kind = Kind::kByGroup, .agents = 2}), merged);
}

TEST(Partition, RefusesWhatCannotBeMet) {
  const Dataset two = striped_set(10, 2);
  const Dataset ten = striped_set(100, 10);
  const auto refused = [](const Dataset& set, const PartitionOptions& options, const char* part) {
    EXPECT_THROW_MESSAGE(partition(set, all_rows(set.x.rows()), options), InvalidArgument, part);
  };
  for (const Kind kind :
       {Kind::kIid, Kind::kLabelFractions, Kind::kClassesPerAgent, Kind::kDirichlet, Kind::kQuantity}) {
    refused(two, {.kind = kind, .agents = 12}, "agents is 12 for 10 rows of striped");
    refused(two, {.kind = kind, .agents = 0}, "between 1 and the number of rows");
    refused(two, {.kind = kind, .agents = -3}, "agents is -3");
  }
  refused(two, {.kind = Kind::kLabelFractions, .agents = 3}, "3 agents; it needs an even number");
  refused(two, {.kind = Kind::kLabelFractions, .agents = 2, .heavy_share = 1.5}, "heavy_share is 1.5");
  refused(two, {.kind = Kind::kLabelFractions, .agents = 10, .heavy_share = 0.5}, "leaves agent 1 of 10 without a row");
  refused(ten, {.kind = Kind::kLabelFractions, .agents = 2}, "10 classes; label-fractions needs 2");
  refused(ten, {.kind = Kind::kClassesPerAgent, .agents = 4, .classes = 2}, "at most 8 of the 10 classes");
  refused(ten, {.kind = Kind::kClassesPerAgent, .agents = 4, .classes = 11}, "classes is 11");
  refused(ten, {.kind = Kind::kClassesPerAgent, .agents = 4, .classes = 0}, "classes is 0");
  refused(ten, {.kind = Kind::kClassesPerAgent, .agents = 60, .classes = 5}, "class ");
  refused(two, {.kind = Kind::kDirichlet, .agents = 2, .alpha = 0}, "alpha is 0; it must lie in 1e-6 to 1e6");
  refused(two, {.kind = Kind::kDirichlet, .agents = 2, .alpha = std::nan("")}, "alpha is nan");
  refused(two, {.kind = Kind::kByGroup, .agents = 0}, "striped has no groups");
  refused(grouped_set({1, 1, 2}), {.kind = Kind::kByGroup, .agents = 3}, "hold 2 groups");
  refused(grouped_set({1, kNoGroup, 2}), {.kind = Kind::kByGroup, .agents = 0}, "belong to no group");

  Dataset regression = two;
  regression.labels = LabelKind::kRegression;
  refused(regression, {.kind = Kind::kDirichlet, .agents = 2}, "needs a binary or multiclass set");
  EXPECT_THROW_MESSAGE(partition(two, {}, {}), InvalidArgument, "no rows of striped are given");
  EXPECT_THROW_MESSAGE(partition(two, std::vector<Index>{1, 10}, {}), InvalidArgument, "row 10 is given");
  EXPECT_THROW_MESSAGE(partition(two, std::vector<Index>{1, 1}, {}), InvalidArgument, "row 1 is given twice");
}

TEST(Partition, NamesGoBothWays) {
  for (const char* name : {"iid", "label-fractions", "classes-per-agent", "dirichlet", "quantity", "by-column"}) {
    EXPECT_EQ(partition_name(partition_kind(name)), name);
  }
  EXPECT_THROW_MESSAGE(
      partition_kind("random"), InvalidArgument, "no partition 'random'; allowed: iid, label-fractions");
}

}  // namespace
}  // namespace fedstein
