// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/unseen_rows.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::vector<Real> values_of(const Matrix& x, Index row) {
  std::vector<Real> out(x.row(row).data(), x.row(row).data() + x.cols());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(UnseenRows, HaveNames) {
  EXPECT_EQ(unseen_kind_names(), (std::vector<std::string>{"shuffled", "rotated", "inverted", "noise", "far"}));
  EXPECT_EQ(unseen_kind("inverted"), UnseenKind::kInverted);
  EXPECT_FALSE(unseen_kind("class").has_value());
}

TEST(UnseenRows, ShuffledOnesHaveTheSameValuesInAnotherOrderEach) {
  Matrix rows(50, 30);
  for (Index i = 0; i < rows.size(); ++i) rows(i / 30, i % 30) = static_cast<Real>(i % 30);  // all rows alike
  const Matrix shuffled = make_unseen(UnseenKind::kShuffled, rows, rows, 3);
  std::set<std::vector<Real>> orders;
  for (Index i = 0; i < rows.rows(); ++i) {
    EXPECT_EQ(values_of(shuffled, i), values_of(rows, i));
    orders.emplace(shuffled.row(i).data(), shuffled.row(i).data() + shuffled.cols());
  }
  EXPECT_EQ(orders.size(), 50U);
  EXPECT_TRUE(identical(shuffled, make_unseen(UnseenKind::kShuffled, rows, rows, 3)));
  EXPECT_FALSE(identical(shuffled, make_unseen(UnseenKind::kShuffled, rows, rows, 4)));
}

// 1 2        3 1
// 3 4   ->   4 2
TEST(UnseenRows, RotatedOnesAreImagesTurnedClockwise) {
  const Matrix rows{{1, 2, 3, 4}, {5, 6, 7, 8}};
  EXPECT_TRUE(identical(make_unseen(UnseenKind::kRotated, rows, rows, 1), Matrix{{3, 1, 4, 2}, {7, 5, 8, 6}}));
  const Matrix larger{{1, 2, 3, 4, 5, 6, 7, 8, 9}};
  EXPECT_TRUE(identical(make_unseen(UnseenKind::kRotated, larger, larger, 1), Matrix{{7, 4, 1, 8, 5, 2, 9, 6, 3}}));
  const Matrix table{{1, 2, 3}};
  EXPECT_THROW_MESSAGE(
      make_unseen(UnseenKind::kRotated, table, table, 1), InvalidArgument, "the rows have 3 features; only square");
}

TEST(UnseenRows, SquaresAreKnown) {
  EXPECT_EQ(image_side(784), 28);
  EXPECT_EQ(image_side(1), 1);
  EXPECT_EQ(image_side(54), 0);
}

TEST(UnseenRows, InvertedOnesAreMirroredInTheTrainingRange) {
  const Matrix train{{0, -1}, {1, 5}, {0.5_r, 2}};
  const Matrix rows{{0, -1}, {0.25_r, 10}};
  EXPECT_TRUE(identical(make_unseen(UnseenKind::kInverted, train, rows, 1), Matrix{{1, 5}, {0.75_r, -6}}));
}

TEST(UnseenRows, NoiseFillsTheTrainingRange) {
  const Matrix train{{0, -1, 7}, {1, 5, 7}};
  const Matrix noise = make_unseen(UnseenKind::kNoise, train, Matrix::Zero(2000, 3), 1);
  ASSERT_EQ(noise.rows(), 2000);
  for (const Index column : {0, 1}) {
    const auto low = static_cast<double>(train(0, column));
    const double width = static_cast<double>(train(1, column)) - low;
    const DoubleVector place = (noise.col(column).cast<double>().array() - low) / width;
    EXPECT_GE(place.minCoeff(), 0);
    EXPECT_LE(place.maxCoeff(), 1);
    // Of a uniform number: mean 1/2, deviation 0.289, five standard errors 0.033.
    EXPECT_NEAR(place.mean(), 0.5, 0.033);
    EXPECT_LT(place.minCoeff(), 0.01);
    EXPECT_GT(place.maxCoeff(), 0.99);
  }
  EXPECT_TRUE((noise.col(2).array() == 7).all());
}

// Training rows at distance 2 from their mean (1, 0): a step of 10.
TEST(UnseenRows, FarOnesAreFarFromTheMeanInDirectionsOfTheirOwn) {
  const Matrix train{{3, 0}, {-1, 0}, {1, 2}, {1, -2}};
  const Matrix rows = random_matrix(100, 2, 5);
  const Matrix far = make_unseen(UnseenKind::kFar, train, rows, 1);
  const Eigen::RowVector2d mean(1, 0);
  std::set<double> angles;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Eigen::RowVector2d moved = (far.row(i) - rows.row(i)).cast<double>();
    EXPECT_NEAR(moved.norm(), 10, 1e-4);
    EXPECT_GT((far.row(i).cast<double>() - mean).norm(), 10 - 1e-4);
    angles.insert(std::atan2(moved(1), moved(0)));
  }
  EXPECT_EQ(angles.size(), 100U);
}

TEST(UnseenRows, NeedTrainingRowsOfTheirKind) {
  const Matrix rows{{1, 2, 3, 4}};
  EXPECT_THROW_MESSAGE(
      make_unseen(UnseenKind::kNoise, Matrix(0, 4), rows, 1), InvalidArgument, "there are 0 training rows of 4");
  EXPECT_THROW_MESSAGE(make_unseen(UnseenKind::kNoise, Matrix::Zero(2, 3), rows, 1), InvalidArgument, "of 3 columns");
}

}  // namespace
}  // namespace fedstein
