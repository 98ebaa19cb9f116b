// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/regression.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "metrics/samples.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

double normal_density(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

TEST(Regression, ErrorsByHand) {
  const Vector predicted{{1, 2, 3}};
  const Vector targets{{2, 2, 1}};
  EXPECT_TRUE(close(rmse(predicted, targets), std::sqrt(5.0 / 3), 1e-14));
  EXPECT_TRUE(close(mae(predicted, targets), 1.0, 1e-14));
  EXPECT_EQ(rmse(predicted.head(1), targets.head(1)), 1);
}

// A sum in single precision would stop growing long before a million rows.
TEST(Regression, SumsAreInDouble) {
  const Index n = 1000000;
  const Vector targets = Vector::Constant(n, Real(1000.1));
  const auto error = static_cast<double>(Real(1000.1));
  EXPECT_TRUE(close(rmse(Vector::Zero(n), targets), error, 1e-10));
  EXPECT_TRUE(close(mae(Vector::Zero(n), targets), error, 1e-10));
}

TEST(Regression, MixtureDensityEqualsThePlainSum) {
  const Matrix means = random_matrix(20, 5, 1);
  const Matrix variances = random_matrix(20, 5, 2).array().square() + Real(0.1);
  const Vector targets = random_matrix(20, 1, 3);
  const DoubleVector logs = mixture_log_density(means, variances, targets);
  for (Index row = 0; row < 20; ++row) {
    double sum = 0;
    for (Index j = 0; j < 5; ++j) sum += normal_density(targets(row), means(row, j), variances(row, j)) / 5;
    EXPECT_TRUE(close(logs(row), std::log(sum), 1e-10));
  }
  EXPECT_TRUE(close(mean_log_likelihood(logs), logs.sum() / 20, 1e-14));
}

TEST(Regression, DensityFarInTheTailIsFinite) {
  const DoubleVector logs = mixture_log_density(Matrix{{0, 0}}, Matrix{{1, 1}}, Vector{{100}});
  EXPECT_TRUE(close(logs(0), -5000 - 0.5 * std::log(2 * std::numbers::pi), 1e-12));
  EXPECT_EQ(mean_log_likelihood(DoubleVector{{-1, -INFINITY}}), -INFINITY);
}

TEST(Regression, CentralMassOfAGaussian) {
  // 1, 2 and 3 deviations on either side: the 68, 95 and 99.7 of the tables.
  const Matrix means = Matrix::Constant(5, 1, Real{10});
  const Matrix variances = Matrix::Constant(5, 1, Real{4});
  const DoubleVector masses = central_mass(means, variances, Vector{{12, 8, 14, 4, 10}});
  const DoubleVector expected{{0.682689492137086, 0.682689492137086, 0.954499736103642, 0.997300203936740, 0}};
  EXPECT_TRUE(close(masses, expected, 1e-12));
  EXPECT_EQ(coverage(masses, 0.9), 0.6);
  EXPECT_EQ(coverage(masses, 0.99), 0.8);
  EXPECT_EQ(coverage(masses, 0.5), 0.2);
}

TEST(Regression, CentralIntervalOfAMixtureIsNotThatOfOneGaussian) {
  // Two far modes of equal weight: their middle is the centre, each mode's mean a quarter away from an end.
  const Matrix means{{-10, 10}, {-10, 10}};
  const DoubleVector masses = central_mass(means, Matrix::Ones(2, 2), Vector{{0, 10}});
  EXPECT_TRUE(close(masses, DoubleVector{{0, 0.5}}, 1e-12));
}

TEST(Regression, CoverageOfARightPredictiveIsItsLevel) {
  const Index n = 20000;
  const Vector targets = random_matrix(n, 1, 4);
  const DoubleVector masses = central_mass(Matrix::Zero(n, 1), Matrix::Ones(n, 1), targets);
  for (const double level : {0.1, 0.5, 0.9}) EXPECT_NEAR(coverage(masses, level), level, 0.012);  // > 3 deviations
}

TEST(Regression, GivenIntervals) {
  const Vector lower{{0, 0, 0}};
  const Vector upper{{1, 1, 1}};
  EXPECT_TRUE(close(interval_coverage(lower, upper, Vector{{1, 0.5, 2}}), 2.0 / 3, 1e-14));
  EXPECT_THROW_MESSAGE(interval_coverage(upper, lower, lower),
                       InvalidArgument,
                       "row 0 has the interval from 1 to 0; lower must be at most upper");
  EXPECT_THROW_MESSAGE(
      interval_coverage(Vector{{0, kNan, 0}}, upper, lower), InvalidArgument, "row 1 has the interval");
}

TEST(Regression, Refuses) {
  const Matrix one = Matrix::Ones(1, 1);
  EXPECT_THROW_MESSAGE(rmse(Vector{{1, kNan}}, Vector{{1, 2}}), InvalidArgument, "rmse: predicted holds nan in row 1");
  EXPECT_THROW_MESSAGE(mae(Vector{{1, 2}}, Vector{{1}}), InvalidArgument, "mae: targets has 1 row; it must have 2");
  EXPECT_THROW_MESSAGE(rmse(Vector(0), Vector(0)), InvalidArgument, "predicted is 0 x 1");
  EXPECT_THROW_MESSAGE(mixture_log_density(one, Matrix::Zero(1, 1), Vector{{1}}),
                       InvalidArgument,
                       "variances holds 0 in row 0, column 0; a variance must be above 0");
  EXPECT_THROW_MESSAGE(central_mass(one, Matrix::Ones(1, 2), Vector{{1}}), InvalidArgument, "variances is 1 x 2");
  EXPECT_THROW_MESSAGE(coverage(DoubleVector{{0.5}}, 1), InvalidArgument, "level is 1; it must be above 0 and below 1");
  EXPECT_THROW_MESSAGE(coverage(DoubleVector{{NAN}}, 0.5), InvalidArgument, "central_masses holds nan in row 0");
  EXPECT_THROW_MESSAGE(mean_log_likelihood(DoubleVector(0)), InvalidArgument, "log_densities is empty");
}

}  // namespace
}  // namespace fedstein
