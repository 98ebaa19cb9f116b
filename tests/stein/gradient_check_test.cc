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

// log q = -|x0| - x1^2 / 2 with the score -1 at x0 > 0: right, except that differences across 0 cannot know it.
class Kinked : public Score {
 public:
  explicit Kinked(Real factor) : factor_(factor) {}
  static DoubleVector log_density(const ConstMatrixRef& theta) {
    return (-theta.col(0).array().abs() - theta.col(1).array().square() / 2).cast<double>();
  }
  void add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const override {
    grad.col(0).array() +=
        static_cast<Real>(weight) * (theta.col(0).array() > 0).select(-1.0_r, theta.col(0).array() * 0 + 1.0_r);
    grad.col(1).array() -= static_cast<Real>(weight) * factor_ * theta.col(1).array();
  }

 private:
  Real factor_;
};

TEST(CheckGradient, LeavesKinksOutWhenAskedTo) {
  Matrix points(4, 2);
  points << 0.0001_r, 1, 1, 1, -1, -1, 2, 0.5_r;
  EXPECT_FALSE(check_gradient(Kinked::log_density, Kinked(1), points));
  const GradientReport report = check_gradient(Kinked::log_density, Kinked(1), points, {.skip_kinks = true});
  EXPECT_TRUE(report) << report.message;
  EXPECT_EQ(report.kinks, 1);
  // What is wrong away from the kink is still found.
  EXPECT_FALSE(check_gradient(Kinked::log_density, Kinked(1.2_r), points, {.skip_kinks = true}));
}

TEST(CheckGradient, RefusesToJudgeWhereThereAreOnlyKinks) {
  const Matrix points = Matrix::Zero(3, 2).array() + 0.0001_r;
  const auto rough = [](const ConstMatrixRef& theta) {
    return DoubleVector(-theta.cast<double>().cwiseAbs().rowwise().sum());
  };
  const GradientReport report = check_gradient(rough, Kinked(1), points, {.skip_kinks = true});
  EXPECT_FALSE(report);
  EXPECT_THAT(report.message, testing::HasSubstr("has a kink at 6 of 6 values"));
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
