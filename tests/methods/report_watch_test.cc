// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/report_watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/throws.h"

namespace fedstein {
namespace {

using Overflow = BeliefReport::Overflow;

// Four agents of the same weight, one value each.
std::vector<BeliefReport> four(double first, double others) {
  std::vector<BeliefReport> out;
  for (Index k = 0; k < 4; ++k) out.push_back({.agent = k, .weight = 0.25, .likelihood = k == 0 ? first : others});
  return out;
}

std::vector<BeliefReport> overflow_of(Index agents, std::vector<BeliefReport> reports) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(agents); ++k) reports[k].overflow = Overflow::kOfSteps;
  return reports;
}

std::string saved(const ReportWatch& watch) {
  StateWriter writer("watch");
  watch.write(writer);
  return std::move(writer).finish();
}

TEST(ReportWatch, OneAgentsOverflowsAreObeyedTenTimesAndThenGivenBack) {
  ReportWatch watch(4);
  for (int i = 0; i < 10; ++i) {
    const auto sifted = watch.sift(overflow_of(1, four(-1, -1)));
    EXPECT_EQ(sifted.followed.size(), 4U);
    EXPECT_EQ(sifted.given_back, 0);
  }
  auto sifted = watch.sift(overflow_of(1, four(-1, -1)));
  EXPECT_EQ(sifted.followed.size(), 3U);
  EXPECT_EQ(sifted.left_out, std::vector<Index>{0});
  EXPECT_EQ(sifted.given_back, 10);
  EXPECT_EQ(watch.sift(overflow_of(1, four(-1, -1))).given_back, 0);
  // Sound again, taken again. Twenty such reports make up for one overflow.
  for (int i = 0; i < 20; ++i) EXPECT_EQ(watch.sift(four(-1, -1)).followed.size(), 4U);
  EXPECT_TRUE(watch.sift(overflow_of(1, four(-1, -1))).left_out.empty());
  EXPECT_EQ(watch.sift(overflow_of(1, four(-1, -1))).left_out.size(), 1U);
}

// Whatever its pattern, an agent halves the step no more often than once in twenty of its reports.
TEST(ReportWatch, OverflowsNowAndThenAreCountedTogether) {
  for (const int period : {2, 3, 5, 10}) {
    ReportWatch watch(4);
    int obeyed = 0;
    for (int i = 0; i < 1000; ++i) {
      const bool overflows = i % period == 0;
      obeyed += overflows && watch.sift(overflow_of(1, four(-1, -1))).left_out.empty();
      if (!overflows) watch.sift(four(-1, -1));
    }
    EXPECT_LE(obeyed, 10 + 1000 / 20) << period;
  }
}

TEST(ReportWatch, WhatMostAgentsReportIsAlwaysObeyed) {
  ReportWatch watch(4);
  for (int i = 0; i < 100; ++i) {
    const auto sifted = watch.sift(overflow_of(3, four(-1, -1)));
    EXPECT_TRUE(sifted.common_overflow);
    EXPECT_EQ(sifted.followed.size(), 4U);
  }
  EXPECT_FALSE(watch.sift(overflow_of(2, four(-1, -1))).common_overflow);  // half are not most
}

// One agent at a time: the others' last reports are its judges.
TEST(ReportWatch, JudgesAgentsThatTakeTurns) {
  ReportWatch watch(4);
  Index left_out = 0;
  for (int turn = 0; turn < 20; ++turn) {
    for (std::size_t k = 0; k < 4; ++k) {
      left_out += static_cast<Index>(watch.sift({overflow_of(1, four(-1, -1))[k]}).left_out.size());
    }
  }
  EXPECT_EQ(left_out, 9);  // of twenty: ten are obeyed, and the first, when nobody else was known
}

TEST(ReportWatch, ChangesOutOfProportionCountThreeTimes) {
  ReportWatch watch(4);
  watch.sift(four(-1, -1));
  Index counted = 0;
  for (int i = 1; i <= 20; ++i) {
    const auto sifted = watch.sift(four(-1 - (i % 2), -1 + 0.01 * i));
    counted += static_cast<Index>(sifted.followed.size()) - 3;
    EXPECT_TRUE(sifted.left_out.empty());  // its updates are taken all the same
  }
  EXPECT_EQ(counted, 3);
  // Within five times the others' it always counts.
  ReportWatch other(4);
  for (int i = 1; i <= 20; ++i) EXPECT_EQ(other.sift(four(-1 - 0.04 * i, -1 + 0.01 * i)).followed.size(), 4U);
}

TEST(ReportWatch, LikelihoodsAreBounded) {
  ReportWatch watch(4);
  EXPECT_EQ(watch.sift(four(-1e30, -0.5)).followed.front().likelihood, -5);
  EXPECT_EQ(ReportWatch(4).sift(four(1e30, 0)).followed.front().likelihood, 0.5);
  EXPECT_EQ(ReportWatch(4).sift(four(-4, -0.5)).followed.front().likelihood, -4);
}

TEST(ReportWatch, OfTwoAgentsNobodyCanTellWhoLies) {
  ReportWatch watch(2);
  for (int i = 0; i < 30; ++i) {
    auto reports = four(i % 2 == 0 ? -1e30 : -1, -1);
    reports.resize(2);
    const auto sifted = watch.sift(reports);
    ASSERT_EQ(sifted.followed.size(), 2U);
    EXPECT_EQ(sifted.followed.front().likelihood, reports.front().likelihood);
  }
}

TEST(ReportWatch, ReportsWithoutWeightAreNotFollowed) {
  ReportWatch watch(4);
  auto reports = overflow_of(1, four(-1, -1));
  reports[0].weight = 0;
  for (int i = 0; i < 30; ++i) {
    const auto sifted = watch.sift(reports);
    EXPECT_EQ(sifted.followed.size(), 3U);
    EXPECT_TRUE(sifted.left_out.empty());
  }
}

TEST(ReportWatch, IsSavedAndRestoredToTheBit) {
  ReportWatch watch(4);
  for (int i = 0; i < 15; ++i) watch.sift(overflow_of(i % 3 == 0 ? 1 : 0, four(-1 - i, -1 + 0.01 * i)));
  const std::string bytes = saved(watch);
  StateReader reader(bytes, "watch");
  ReportWatch other = ReportWatch(4).read(reader);
  EXPECT_NO_THROW(reader.finish());
  EXPECT_EQ(saved(other), bytes);
  for (ReportWatch* one : {&watch, &other}) one->sift(overflow_of(1, four(-3, -1)));
  EXPECT_EQ(saved(other), saved(watch));
}

TEST(ReportWatch, StatesThatNoReportCouldLeaveAreRefused) {
  for (const auto& [weight, debt] : {std::pair{-1.0, 0}, std::pair{std::nan(""), 0}, std::pair{0.5, 1000}}) {
    StateWriter writer("watch");
    writer.number(weight);
    for (int i = 0; i < 3; ++i) writer.number(0);
    for (const Index value : {Index{0}, Index{1}, Index{debt}, Index{0}, Index{0}}) writer.integer(value);
    const std::string bytes = std::move(writer).finish();
    StateReader reader(bytes, "watch");
    EXPECT_THROW_MESSAGE(ReportWatch(1).read(reader), BadState, "no agent could have sent");
  }
}

}  // namespace
}  // namespace fedstein
