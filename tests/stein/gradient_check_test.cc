// SPDX-License-Identifier: Apache-2.0
// The checker is itself checked: it must pass the right gradient and catch wrong ones, small and large.
#include "fedstein/stein/gradient_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fedstein/numeric/check.h"
#include "support/gaussian_score.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

const GaussianScore kTarget(RowVector::Constant(4, 1), RowVector::Constant(4, 2));

DoubleVector log_density(const ConstMatrixRef& theta) {
  return kTarget.log_density(theta);
}

// Right everywhere but in one coordinate, where it is off by a factor.
class WrongInOneCoordinate : public Score {
 public:
  WrongInOneCoordinate(Index coordinate, Real factor) : coordinate_(coordinate), factor_(factor) {}

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override {
    kTarget.add(theta, step, weight, grad);
    grad.col(coordinate_) *= factor_;
  }

 private:
  Index coordinate_;
  Real factor_;
};

TEST(CheckGradient, PassesTheRightOne) {
  const GradientReport report = check_gradient(log_density, kTarget, random_matrix(5, 4, 1));
  EXPECT_TRUE(report) << report.message;
  EXPECT_TRUE(report.message.empty());
}

TEST(CheckGradient, CatchesAWrongFactorAndSaysWhere) {
  const GradientReport report = check_gradient(log_density, WrongInOneCoordinate(2, 1.1_r), random_matrix(5, 4, 1));
  EXPECT_FALSE(report);
  EXPECT_EQ(report.coordinate, 2);
  EXPECT_THAT(report.message, testing::HasSubstr("in coordinate 2"));
}

TEST(CheckGradient, CatchesAWrongSignAndNan) {
  const Matrix points = random_matrix(5, 4, 1);
  EXPECT_FALSE(check_gradient(log_density, WrongInOneCoordinate(0, -1), points));
  EXPECT_FALSE(check_gradient(log_density, WrongInOneCoordinate(3, std::numeric_limits<Real>::quiet_NaN()), points));
}

TEST(CheckGradient, OfAWideModelLooksAtSomeCoordinates) {
  const GaussianScore wide(RowVector::Zero(5000), RowVector::Ones(5000));
  const auto density = [&](const ConstMatrixRef& theta) { return wide.log_density(theta); };
  EXPECT_TRUE(check_gradient(density, wide, random_matrix(1, 5000, 2), {.most_coordinates = 20}));
}

TEST(CheckGradient, RefusesBadArguments) {
  EXPECT_THROW_MESSAGE(check_gradient(log_density, kTarget, Matrix(0, 4)), InvalidArgument, "points is 0 x 4");
}

}  // namespace
}  // namespace fedstein
