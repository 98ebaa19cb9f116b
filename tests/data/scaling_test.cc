// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/scaling.h"

#include <cmath>

#include "data/small_sets.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

const double kRealEpsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());

Dataset regression_set(Index count) {
  Dataset out = striped_set(count, 2);
  out.task = Task::kRegression;
  out.classes = 0;
  out.y = random_matrix(count, 1, 9, 50, 10);
  return out;
}

double mean(const Vector& values) {
  return values.cast<double>().mean();
}

double deviation(const Vector& values) {
  const DoubleVector wide = values.cast<double>();
  return std::sqrt((wide.array() - wide.mean()).square().sum() / static_cast<double>(wide.size() - 1));
}

TEST(Scaling, StandardisedRowsHaveMeanZeroAndDeviationOne) {
  Dataset set = regression_set(200);
  set.x.col(1).array() = set.x.col(1).array() * 30 + 7;
  const Vector target = set.y;
  const Scaling scaling = fit_scaling(ScalingRule::kStandardise, set, all_rows(200));
  apply_scaling(scaling, set);
  for (Index column = 0; column < set.x.cols(); ++column) {
    EXPECT_NEAR(mean(set.x.col(column)), 0, 100 * kRealEpsilon);
    EXPECT_NEAR(deviation(set.x.col(column)), 1, 100 * kRealEpsilon);
  }
  EXPECT_NEAR(mean(set.y), 0, 100 * kRealEpsilon);
  EXPECT_NEAR(deviation(set.y), 1, 100 * kRealEpsilon);
  for (Index row = 0; row < 200; ++row) {
    const double back = scaling.unscaled_target(static_cast<double>(set.y(row)));
    EXPECT_NEAR(back, static_cast<double>(target(row)), 100 * kRealEpsilon);
  }
  EXPECT_DOUBLE_EQ(scaling.unscaled_deviation(2), 2 * scaling.target_spread);
}

TEST(Scaling, IsFittedOnTheRowsGivenAndAppliedToAll) {
  Dataset set = striped_set(4, 2, 1);
  set.x << 0, 10, 5, 20;
  const std::vector<Index> train = {0, 1, 2};
  apply_scaling(fit_scaling(ScalingRule::kUnitInterval, set, train), set);
  EXPECT_EQ(set.x(0, 0), Real{0});
  EXPECT_EQ(set.x(1, 0), Real{1});
  EXPECT_EQ(set.x(2, 0), Real{0.5});
  EXPECT_EQ(set.x(3, 0), Real{2}) << "a row outside the fit may leave the interval";
}

TEST(Scaling, LabelsOfClassificationStayAsTheyAre) {
  Dataset set = striped_set(10, 2);
  const Vector before = set.y;
  apply_scaling(fit_scaling(ScalingRule::kStandardise, set, all_rows(10)), set);
  EXPECT_TRUE(identical(set.y, before));
}

TEST(Scaling, PixelsLandBetweenOneHundredthAndOne) {
  Dataset set = striped_set(3, 2, 1);
  set.x << 0, 255, 100;
  apply_scaling(fit_scaling(ScalingRule::kPixel, set, {}), set);
  EXPECT_TRUE(close(
      set.x, Matrix{{static_cast<Real>(0.01)}, {Real{1}}, {static_cast<Real>(100 * 0.99 / 255 + 0.01)}}, kRealEpsilon));
}

TEST(Scaling, NoneChangesNothing) {
  Dataset set = regression_set(10);
  const Dataset before = set;
  apply_scaling(fit_scaling(ScalingRule::kNone, set, all_rows(10)), set);
  EXPECT_EQ(checksum(set), checksum(before));
}

// The naval set has such a column: its mean is rounded, so the computed deviation is 2e-16 and not 0.
TEST(Scaling, AConstantColumnIsShiftedNotDivided) {
  for (const ScalingRule rule : {ScalingRule::kStandardise, ScalingRule::kUnitInterval}) {
    Dataset set = regression_set(11934);
    set.x.col(1).setConstant(static_cast<Real>(0.998));
    set.x.col(2).setZero();
    set.y.setConstant(static_cast<Real>(0.1));
    const Scaling scaling = fit_scaling(rule, set, all_rows(set.x.rows()));
    EXPECT_EQ(scaling.spread(1), 1);
    EXPECT_EQ(scaling.spread(2), 1);
    EXPECT_EQ(scaling.target_spread, 1);
    apply_scaling(scaling, set);
    EXPECT_LT(set.x.col(1).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_TRUE(set.x.allFinite());
  }
}

TEST(Scaling, OneRowIsConstantInEveryColumn) {
  const Dataset set = regression_set(1);
  const Scaling scaling = fit_scaling(ScalingRule::kStandardise, set, all_rows(1));
  EXPECT_TRUE(close(scaling.spread, DoubleVector::Ones(3), 0));
  EXPECT_EQ(scaling.target_spread, 1);
}

TEST(Scaling, ASmallSpreadOnALargeOffsetIsKept) {
  Dataset set = striped_set(2, 2, 1);
  set.x << 1000000, 1000001;
  const Scaling scaling = fit_scaling(ScalingRule::kStandardise, set, all_rows(2));
  EXPECT_NEAR(scaling.spread(0), std::sqrt(0.5), 1e-12);
}

TEST(Scaling, StatisticsOfPartsMergeIntoThoseOfTheWhole) {
  const Dataset set = regression_set(90);
  const std::vector<Index> order = all_rows(90);
  const std::span<const Index> all(order);
  const ColumnStatistics whole = column_statistics(set, all);
  ColumnStatistics merged = column_statistics(set, {});
  for (const auto& part : {all.subspan(0, 7), all.subspan(7, 53), all.subspan(60)}) {
    merged = merge(merged, column_statistics(set, part));
  }
  EXPECT_EQ(merged.count, whole.count);
  EXPECT_TRUE(close(merged.mean, whole.mean, 1e-13));
  EXPECT_TRUE(close(merged.squares, whole.squares, 1e-12));
  EXPECT_TRUE(close(merged.low, whole.low, 0));
  EXPECT_TRUE(close(merged.high, whole.high, 0));
}

TEST(Scaling, RefusesWhatCannotBeFittedOrApplied) {
  const Dataset set = striped_set(4, 2, 3);
  EXPECT_THROW_MESSAGE(fit_scaling(ScalingRule::kStandardise, set, {}), InvalidArgument, "0 rows");
  EXPECT_THROW_MESSAGE(
      fit_scaling(ScalingRule::kStandardise, set, std::vector<Index>{4}), InvalidArgument, "row 4 is given");
  const Scaling scaling = fit_scaling(ScalingRule::kStandardise, set, all_rows(4));
  Dataset narrow = striped_set(4, 2, 2);
  EXPECT_THROW_MESSAGE(apply_scaling(scaling, narrow), InvalidArgument, "must have 3 columns");
  EXPECT_THROW_MESSAGE(merge(column_statistics(set, all_rows(4)), column_statistics(narrow, all_rows(4))),
                       InvalidArgument,
                       "same columns");
}

}  // namespace
}  // namespace fedstein
