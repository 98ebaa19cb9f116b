// SPDX-License-Identifier: Apache-2.0
// What leaves an agent for the scaling, and what is believed of it.
#include "fedstein/serving/column_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fedstein/data/error.h"
#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/compare.h"
#include "fedstein/numeric/rng.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

Dataset rows(Index count, std::uint64_t seed) {
  Dataset out;
  out.x.resize(count, 3);
  out.y.resize(count);
  Rng rng({.seed = seed});
  for (Index i = 0; i < count; ++i) {
    out.x(i, 0) = static_cast<Real>(100 + 10 * rng.normal());
    out.x(i, 1) = static_cast<Real>(rng.normal());
    out.x(i, 2) = 0.1_r;  // constant, and not a number that sums without rounding
    out.y(i) = i % 2 == 0 ? 1 : -1;
  }
  return out;
}

ColumnStatistics statistics_of(const Dataset& dataset) {
  return column_statistics(dataset, all_rows(dataset.x.rows()));
}

std::string forged(Index count, double mean, double squares, Index columns = 3) {
  StateWriter writer("column sums");
  writer.integer(count);
  writer.integer(columns);
  for (Index i = 0; i < columns; ++i) {
    writer.number(mean);
    writer.number(squares);
  }
  return std::move(writer).finish();
}

const SummedColumns kClasses = summed_columns(3, LabelKind::kBinary);
const SummedColumns kNumbers = summed_columns(3, LabelKind::kRegression);

AgentFacts facts(Index count, const std::string& sums) {
  return {.algorithm = "", .dimension = 0, .rows = count, .features = 3, .statistics = sums};
}

TEST(ColumnSums, TotalsScaleAsAllRowsTogetherWould) {
  const Dataset first = rows(20, 1);
  const Dataset second = rows(35, 2);
  Dataset both;
  both.x.resize(55, 3);
  both.x << first.x, second.x;
  both.y.resize(55);
  both.y << first.y, second.y;
  for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kRegression}) {
    const SummedColumns columns = summed_columns(3, kind);
    const std::string total = total_of_sums(
        {column_sums_bytes(statistics_of(first), columns), column_sums_bytes(statistics_of(second), columns)},
        columns,
        {"a", "b"});
    const Scaling found = make_scaling(ScalingRule::kStandardise, kind, column_sums_from(total, columns));
    const Scaling wanted = make_scaling(ScalingRule::kStandardise, kind, statistics_of(both));
    EXPECT_LT((found.shift - wanted.shift).norm(), 1e-12);
    EXPECT_LT((found.spread - wanted.spread).norm(), 1e-12);
    EXPECT_NEAR(found.target_shift, wanted.target_shift, 1e-12);
    EXPECT_NEAR(found.target_spread, wanted.target_spread, 1e-12);
  }
}

TEST(ColumnSums, NeitherLabelsNorExtremesLeave) {
  const Dataset mine = rows(20, 1);
  const std::string sums = column_sums_bytes(statistics_of(mine), kClasses);
  Dataset relabelled = mine;
  relabelled.y.setConstant(1);
  EXPECT_EQ(sums, column_sums_bytes(statistics_of(relabelled), kClasses)) << "class labels stay";
  // Header, rows, columns, and two numbers a column: no room for a least or a greatest value.
  const std::string none = column_sums_bytes(statistics_of(mine), {0, false});
  EXPECT_EQ(sums.size() - none.size(), 3 * 2 * sizeof(double));
  EXPECT_NE(column_sums_bytes(statistics_of(mine), kNumbers), column_sums_bytes(statistics_of(relabelled), kNumbers))
      << "a regression's target is scaled, so its sums travel";
}

TEST(ColumnSums, FewRowsHaveNone) {
  EXPECT_THROW_MESSAGE(column_sums_bytes(statistics_of(rows(9, 1)), kClasses), InvalidArgument, "10 are needed");
  EXPECT_NE(column_sums_bytes(statistics_of(rows(10, 1)), kClasses), "");
  EXPECT_THAT(objection_to_sums_for(ScalingRule::kUnitInterval), HasSubstr("do not leave an agent"));
}

TEST(ColumnSums, WhatCannotBeIsRefusedAtEnrolment) {
  const auto refusal = [](Index count, const std::string& sums) {
    return sums_objection(facts(count, sums), kClasses, {});
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(20, forged(20, 1, 5)), "");
  EXPECT_THAT(refusal(20, "hello"), HasSubstr("its sums cannot be read"));
  EXPECT_THAT(refusal(20, forged(20, 1, 5, 4)), HasSubstr("4 columns; expected 3"));
  EXPECT_THAT(refusal(20, forged(21, 1, 5)), HasSubstr("of 21 rows, but it has 20"));
  EXPECT_THAT(refusal(-4, forged(-4, 1, 5)), HasSubstr("at least 10"));
  EXPECT_THAT(refusal(20, forged(20, kNan, 5)), HasSubstr("not finite"));
  EXPECT_THAT(refusal(20, forged(20, 1, -5)), HasSubstr("negative"));
  EXPECT_THAT(refusal(20, forged(20, -1e308, 5)), HasSubstr("column 0 (from 0) of its sums has mean -1e+308"));
  EXPECT_THAT(refusal(20, forged(20, 1, 1e300)), HasSubstr("up to 1e+30 is allowed"));
}

TEST(ColumnSums, AgentsWithAndWithoutSumsDoNotMix) {
  const std::map<Index, Enrolment> with = {{0, {0, 20, 3, forged(20, 1, 5)}}};
  const std::map<Index, Enrolment> without = {{0, {0, 20, 3, {}}}};
  EXPECT_THAT(sums_objection(facts(20, ""), kClasses, with), HasSubstr("start it with --data"));
  EXPECT_THAT(sums_objection(facts(20, forged(20, 1, 5)), kClasses, without), HasSubstr("start it with --simulate"));
  EXPECT_EQ(sums_objection(facts(20, ""), kClasses, without), "");
  EXPECT_EQ(sums_objection(facts(20, forged(20, 1, 5)), kClasses, with), "");
}

TEST(ColumnSums, OneAgentThatWouldScaleEverybodyAwayIsNamed) {
  const std::string honest = forged(20, 1, 5);
  EXPECT_THROW_MESSAGE(total_of_sums({honest, forged(20, 1e30, 5), honest}, kClasses, {"ann", "bob", "eve"}),
                       DataError,
                       "agent 'bob': column 0 (from 0) of the features has mean 1e+30");
  EXPECT_THROW_MESSAGE(total_of_sums({honest, honest, forged(20, 1, 1e40)}, kClasses, {"ann", "bob", "eve"}),
                       DataError,
                       "--drop-enrolment eve");
  EXPECT_NE(total_of_sums({honest, forged(20, 5000, 1e4), honest}, kClasses, {"ann", "bob", "eve"}), "");
}

}  // namespace
}  // namespace fedstein
