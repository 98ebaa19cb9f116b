// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/collapse.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/gaussian_score.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

const GaussianScore kStandard(RowVector::Zero(5), RowVector::Ones(5));

CollapseReport diagnose(const Matrix& x) {
  Matrix scores = Matrix::Zero(x.rows(), x.cols());
  kStandard.add(x, 0, 1, scores);
  return diagnose_collapse(x, scores);
}

TEST(Collapse, ForAGaussianTheRatioIsTheShareOfItsVariance) {
  const CollapseReport report = diagnose(random_matrix(50, 5, 1, 0, 0.5));
  EXPECT_TRUE(close(report.implied, DoubleVector::Ones(5), 1e-4));
  EXPECT_TRUE(close(report.ratio, report.variance, 1e-4));
  EXPECT_FALSE(report.collapsed);
}

TEST(Collapse, IsSeenInParticlesThatHugEachOther) {
  EXPECT_TRUE(diagnose(random_matrix(50, 5, 2, 0, 0.1)).collapsed);
  EXPECT_TRUE(diagnose(Matrix::Ones(50, 5)).collapsed);
  EXPECT_FALSE(diagnose(random_matrix(50, 5, 3)).collapsed);
}

TEST(Collapse, SaysNothingOfOneParticleOrOfScoresThatPushApart) {
  EXPECT_FALSE(diagnose(Matrix::Ones(1, 5)).collapsed);
  EXPECT_EQ(diagnose(Matrix::Ones(1, 5)).median_ratio, 1);
  const Matrix x = random_matrix(10, 5, 4);
  const CollapseReport report = diagnose_collapse(x, x);
  EXPECT_FALSE(report.collapsed);
  EXPECT_TRUE(std::isinf(report.implied(0)));
}

TEST(Collapse, RefusesBadArguments) {
  EXPECT_THROW_MESSAGE(diagnose_collapse(Matrix::Zero(2, 2), Matrix::Zero(2, 3)), InvalidArgument, "scores is 2 x 3");
  EXPECT_THROW_MESSAGE(diagnose_collapse(Matrix::Zero(2, 2), Matrix::Zero(2, 2), 0), InvalidArgument, "threshold is 0");
}

}  // namespace
}  // namespace fedstein
