// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/scheduler.h"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::ElementsAre;

TEST(RoundRobin, TakesTurns) {
  const RoundRobin scheduler(3);
  EXPECT_THAT(scheduler.pick(1), ElementsAre(0));
  EXPECT_THAT(scheduler.pick(2), ElementsAre(1));
  EXPECT_THAT(scheduler.pick(4), ElementsAre(0));
}

RC_GTEST_PROP(RandomFraction, PicksDifferentAgentsInOrderAndTheSameForARound, ()) {
  const auto agents = *rc::gen::inRange<Index>(1, 200);
  const double fraction = *rc::gen::element(0.01, 0.2, 0.5, 1.0);
  const auto round = *rc::gen::inRange<Index>(1, 1000);
  const RandomFraction scheduler(agents, fraction, 7);
  const std::vector<Index> picked = scheduler.pick(round);
  RC_ASSERT(std::is_sorted(picked.begin(), picked.end()));
  RC_ASSERT(std::set<Index>(picked.begin(), picked.end()).size() == picked.size());
  RC_ASSERT(picked.size() ==
            static_cast<std::size_t>(std::max(1L, std::lround(fraction * static_cast<double>(agents)))));
  RC_ASSERT(picked.front() >= 0 && picked.back() < agents);
  RC_ASSERT(scheduler.pick(round) == picked);
}

TEST(RandomOne, ReachesEveryAgentEquallyOften) {
  const RandomOne scheduler(5, 3);
  std::vector<int> counts(5, 0);
  for (Index round = 1; round <= 5000; ++round) ++counts[static_cast<std::size_t>(scheduler.pick(round).front())];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 4 * std::sqrt(1000.0));
}

TEST(WeightedByData, FollowsTheRows) {
  const WeightedByData scheduler({100, 0, 300}, 3);
  std::vector<int> counts(3, 0);
  for (Index round = 1; round <= 4000; ++round) ++counts[static_cast<std::size_t>(scheduler.pick(round).front())];
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 3000, 4 * std::sqrt(750.0));
}

TEST(Scheduler, RefusesBadArguments) {
  EXPECT_THROW_MESSAGE(RoundRobin(0), InvalidArgument, "RoundRobin: agents is 0");
  EXPECT_THROW_MESSAGE(RandomFraction(10, 0, 1), InvalidArgument, "fraction is 0");
  EXPECT_THROW_MESSAGE(RandomFraction(10, 1.5, 1), InvalidArgument, "fraction is 1.5");
  EXPECT_THROW_MESSAGE(WeightedByData({0, 0}, 1), InvalidArgument, "no agent has a row");
  EXPECT_THROW_MESSAGE(WeightedByData({5, -1}, 1), InvalidArgument, "agent 1 has -1 rows");
}

}  // namespace
}  // namespace fedstein
