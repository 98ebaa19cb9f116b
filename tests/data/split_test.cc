// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/split.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "data/small_sets.h"
#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::vector<Index> joined(const Split& split) {
  std::vector<Index> out = split.train;
  out.insert(out.end(), split.test.begin(), split.test.end());
  return sorted(std::move(out));
}

RC_GTEST_PROP(SplitProperty, RandomSplitLosesAndDuplicatesNothing, ()) {
  const Index count = *rc::gen::inRange<Index>(2, 400);
  const Index tested = *rc::gen::inRange<Index>(1, count);
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const double fraction = static_cast<double>(tested) / static_cast<double>(count);
  const Split split = random_split(count, fraction, seed);
  RC_ASSERT(static_cast<Index>(split.test.size()) == tested);
  RC_ASSERT(joined(split) == all_rows(count));
  const Split again = random_split(count, fraction, seed);
  RC_ASSERT(again.train == split.train && again.test == split.test);
}

RC_GTEST_PROP(SplitProperty, HeldOutGroupsShareNothingWithTheTrainingRows, ()) {
  // Full size from the first case on: small sizes would put every row into group 0.
  const auto any_group = rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Index>(0, 8));
  const auto groups = *rc::gen::container<std::vector<Index>>(40, any_group);
  const std::set<Index> distinct(groups.begin(), groups.end());
  RC_PRE(distinct.size() >= 3U);
  const HoldOut options{.test_fraction = 0.4, .linked = {{0, 1}}, .seed = *rc::gen::arbitrary<std::uint64_t>()};
  const Dataset set = grouped_set(groups);
  const Split split = hold_out_groups(set, options);
  RC_ASSERT(joined(split) == all_rows(40));
  RC_ASSERT(!split.train.empty() && !split.test.empty());
  std::set<Index> trained;
  std::set<Index> tested;
  for (const Index row : split.train) trained.insert(groups[static_cast<std::size_t>(row)]);
  for (const Index row : split.test) tested.insert(groups[static_cast<std::size_t>(row)]);
  for (const Index group : tested) RC_ASSERT(!trained.contains(group));
  if (distinct.contains(0) && distinct.contains(1)) RC_ASSERT(tested.contains(0) == tested.contains(1));
  const Split again = hold_out_groups(set, options);
  RC_ASSERT(again.test == split.test);
}

RC_GTEST_PROP(SplitProperty, WhatIsKeptBackIsTheAgentsOwnDraw, ()) {
  const Index count = *rc::gen::inRange<Index>(0, 300);
  const double share = static_cast<double>(*rc::gen::inRange<int>(0, 100)) / 100;
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const Index agent = *rc::gen::inRange<Index>(0, 50);
  const Split split = keep_back(count, share, seed, agent);
  RC_ASSERT(joined(split) == all_rows(count));
  RC_ASSERT(std::is_sorted(split.train.begin(), split.train.end()));
  RC_ASSERT(std::is_sorted(split.test.begin(), split.test.end()));
  RC_ASSERT(split.test.empty() == (share == 0 || count < 2));
  RC_ASSERT(count == 0 || !split.train.empty());
  const Split again = keep_back(count, share, seed, agent);
  RC_ASSERT(again.train == split.train && again.test == split.test);
}

TEST(KeepBack, FewRows) {
  EXPECT_TRUE(keep_back(0, 0.5, 1, 0).test.empty());
  EXPECT_TRUE(keep_back(1, 0.9, 1, 0).test.empty());
  EXPECT_EQ(keep_back(1, 0.9, 1, 0).train.size(), 1U);
  EXPECT_EQ(keep_back(2, 0.01, 1, 0).test.size(), 1U);
  EXPECT_EQ(keep_back(2, 0.99, 1, 0).test.size(), 1U);
  EXPECT_EQ(keep_back(40, 0.1, 1, 0).test.size(), 4U);
}

TEST(KeepBack, AgentsAndSeedsDiffer) {
  EXPECT_NE(keep_back(100, 0.1, 1, 0).test, keep_back(100, 0.1, 1, 1).test);
  EXPECT_NE(keep_back(100, 0.1, 1, 0).test, keep_back(100, 0.1, 2, 0).test);
  EXPECT_THROW_MESSAGE(keep_back(10, 1, 1, 0), InvalidArgument, "share is 1; it must be at least 0 and below 1");
}

TEST(Split, SeedsGiveDifferentSplits) {
  EXPECT_NE(random_split(100, 0.2, 1).test, random_split(100, 0.2, 2).test);
}

TEST(Split, EveryRowIsTestedAboutAsOften) {
  std::vector<int> tested(50);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const Index row : random_split(50, 0.2, seed).test) ++tested[static_cast<std::size_t>(row)];
  }
  // Binomial(2000, 0.2): mean 400, deviation 18; five deviations for fifty counts.
  for (const int count : tested) EXPECT_NEAR(count, 400, 90);
}

TEST(Split, TheFractionIsRoundedToTheNearestRow) {
  EXPECT_EQ(random_split(263, 0.2, 1).test.size(), 53U);
  EXPECT_EQ(random_split(581012, 0.2, 1).test.size(), 116202U);
}

TEST(Split, RefusesFractionsThatLeaveNothing) {
  EXPECT_THROW_MESSAGE(random_split(10, 0, 1), InvalidArgument, "test_fraction is 0; it must lie between 0 and 1");
  EXPECT_THROW_MESSAGE(random_split(10, 1, 1), InvalidArgument, "test_fraction is 1");
  EXPECT_THROW_MESSAGE(random_split(10, std::nan(""), 1), InvalidArgument, "test_fraction is nan");
  EXPECT_THROW_MESSAGE(random_split(10, 0.04, 1), InvalidArgument, "leaves 0 to test and 10 to train");
  EXPECT_THROW_MESSAGE(random_split(10, 0.96, 1), InvalidArgument, "leaves 10 to test and 0 to train");
  EXPECT_THROW_MESSAGE(random_split(0, 0.5, 1), InvalidArgument, "of 0 rows");
}

TEST(Split, GivenSplitKeepsTheOrder) {
  const Split split = given_split(5, 3);
  EXPECT_EQ(split.train, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(split.test, (std::vector<Index>{3, 4}));
  EXPECT_THROW_MESSAGE(given_split(5, 5), InvalidArgument, "between 1 and 4");
  EXPECT_THROW_MESSAGE(given_split(5, 0), InvalidArgument, "train_rows is 0");
}

TEST(Split, TestRowsByNumber) {
  const Split split = split_by_test_rows(5, std::vector<Index>{4, 0});
  EXPECT_EQ(split.test, (std::vector<Index>{4, 0}));
  EXPECT_EQ(split.train, (std::vector<Index>{1, 2, 3}));
  EXPECT_THROW_MESSAGE(split_by_test_rows(5, std::vector<Index>{5}), InvalidArgument, "row 5 is given");
  EXPECT_THROW_MESSAGE(split_by_test_rows(5, std::vector<Index>{1, 1}), InvalidArgument, "row 1 is given twice");
  EXPECT_THROW_MESSAGE(split_by_test_rows(5, {}), InvalidArgument, "0 test rows");
}

TEST(Split, NamedGroupsAreHeldOut) {
  const Dataset set = grouped_set({201, 100, 202, 100, 201});
  const Split split = hold_out_groups(set, std::vector<Index>{201, 202});
  EXPECT_EQ(split.test, (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(split.train, (std::vector<Index>{1, 3}));
  EXPECT_THROW_MESSAGE(hold_out_groups(set, std::vector<Index>{203}), InvalidArgument, "group 203 does not occur");
  EXPECT_THROW_MESSAGE(hold_out_groups(set, std::vector<Index>{}), InvalidArgument, "0 to test");
  EXPECT_THROW_MESSAGE(hold_out_groups(striped_set(4, 2), std::vector<Index>{1}), InvalidArgument, "has 0 groups");
}

TEST(Split, LinkedGroupsCountAsOne) {
  const Dataset set = grouped_set({0, 1, 2});
  EXPECT_THROW_MESSAGE(
      hold_out_groups(set, {.test_fraction = 0.5, .linked = {{0, 1, 2}}, .seed = 1}), InvalidArgument, "of 1 groups");
  EXPECT_THROW_MESSAGE(hold_out_groups(set, {.test_fraction = 0.5, .linked = {{0, 1}, {1, 2}}}),
                       InvalidArgument,
                       "group 1 is linked twice");
}

}  // namespace
}  // namespace fedstein
