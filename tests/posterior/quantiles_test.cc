// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/quantiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "fedstein/posterior/normal_quantile.h"
#include "fedstein/posterior/predictor.h"
#include "posterior/made_posteriors.h"
#include "support/throws.h"

namespace fedstein {
namespace {

const std::vector<double> kWanted = {0.001, 0.05, 0.5, 0.9, 0.999};

TEST(NormalQuantile, IsTheInverseOfTheDistribution) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.95), 1.6448536269514722, 1e-14);
  for (const double p : {1e-300, 1e-9, 0.1, 0.7, 1 - 1e-9}) {
    EXPECT_NEAR(std::erfc(-normal_quantile(p) / std::numbers::sqrt2) / 2 / p, 1, 1e-7) << p;
  }
  EXPECT_THROW_MESSAGE(normal_quantile(1), InvalidArgument, "must be above 0 and below 1");
}

double mixture_at(const Matrix& means, const Matrix& variances, Index row, double at) {
  double sum = 0;
  for (Index j = 0; j < means.cols(); ++j) {
    const double z = (at - static_cast<double>(means(row, j))) / std::sqrt(static_cast<double>(variances(row, j)));
    sum += std::erfc(-z / std::numbers::sqrt2) / 2;
  }
  return sum / static_cast<double>(means.cols());
}

TEST(MixtureQuantiles, AreWhereTheMixtureReachesThem) {
  const Matrix means = 3 * random_matrix(50, 7, 1);
  const Matrix variances = random_matrix(50, 7, 2).array().square() + 1e-4_r;
  const DoubleMatrix found = mixture_quantiles(means, variances, kWanted);
  for (Index row = 0; row < found.rows(); ++row) {
    for (std::size_t q = 0; q < kWanted.size(); ++q) {
      const double at = found(row, static_cast<Index>(q));
      // Where two modes are far apart the function is flat: the place is free within the flat part.
      EXPECT_NEAR(mixture_at(means, variances, row, at), kWanted[q], 1e-6) << "row " << row;
    }
  }
}

TEST(MixtureQuantiles, OfOneGaussianAreItsOwn) {
  const Matrix means = Matrix::Constant(1, 3, 1e6_r);
  const Matrix variances = Matrix::Constant(1, 3, 4);
  const DoubleMatrix found = mixture_quantiles(means, variances, {0.05, 0.5});
  EXPECT_NEAR(found(0, 0), 1e6 - 2 * 1.6448536269514722, 1e-6);
  EXPECT_NEAR(found(0, 1), 1e6, 1e-6);
}

TEST(Quantiles, OfAnyDistribution) {
  const DoubleVector rates = (DoubleVector(3) << 0.01, 1, 100).finished();
  const auto exponential = [&](const DoubleVector& at) -> DoubleVector {
    return (1 - (-rates.array() * at.array().max(0)).exp()).matrix();
  };
  for (const double p : kWanted) {
    const DoubleVector found =
        continuous_quantile(exponential, DoubleVector::Constant(3, 0.3), DoubleVector::Constant(3, 0.4), p);
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(found(i) * rates(i) / -std::log1p(-p), 1, 1e-9) << p;
  }
}

TEST(Quantiles, OfCountsAreTheLeastThatReachThem) {
  const DoubleVector means = (DoubleVector(3) << 0.001, 4, 3e5).finished();
  // Geometric: P(k or fewer) = 1 - q^(k + 1), q = mean / (1 + mean).
  const auto geometric = [&](const DoubleVector& at) -> DoubleVector {
    const Eigen::ArrayXd log_q = means.array().log() - means.array().log1p();
    return (1 - (log_q * (at.array() + 1)).exp()).matrix();
  };
  for (const double p : kWanted) {
    const DoubleVector found = count_quantile(geometric, means, p);
    const DoubleVector there = geometric(found);
    const DoubleVector before = geometric(found - DoubleVector::Ones(3));
    for (Index i = 0; i < 3; ++i) {
      EXPECT_EQ(found(i), std::floor(found(i)));
      EXPECT_GE(there(i), p);
      EXPECT_TRUE(found(i) == 0 || before(i) < p) << "mean " << means(i) << ", p " << p;
    }
  }
}

TEST(Predictor, QuantilesAreInTheTargetsUnit) {
  const Predictor predictor(made_regression());
  ASSERT_TRUE(predictor.can_tell_quantiles());
  const Matrix rows = raw_rows(predictor.posterior(), 30, 4);
  const Predictor::Mixture mixture = predictor.mixture(rows);
  const DoubleMatrix found = predictor.quantiles(rows, kWanted);
  for (Index row = 0; row < rows.rows(); ++row) {
    for (std::size_t q = 0; q < kWanted.size(); ++q) {
      EXPECT_NEAR(
          mixture_at(mixture.means, mixture.variances, row, found(row, static_cast<Index>(q))), kWanted[q], 1e-3);
    }
  }
  const Predictor classes(made_classes());
  EXPECT_FALSE(classes.can_tell_quantiles());
  EXPECT_THROW_MESSAGE(classes.quantiles(rows, {0.5}), InvalidArgument, "is not known");
}

}  // namespace
}  // namespace fedstein
