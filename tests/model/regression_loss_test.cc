// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/regression_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Vector losses_of(const RegressionLoss& loss, double log_precision, Vector residuals) {
  loss.evaluate(log_precision, residuals);
  return residuals;
}

TEST(RegressionLoss, GaussianIsTheNormalDensity) {
  const Vector r = random_matrix(10, 1, 1).col(0);
  const double g = 0.4;
  const DoubleVector squares = r.cast<double>().array().square();
  EXPECT_TRUE(close(losses_of(GaussianLoss(), g, r),
                    (0.5 * (std::log(2 * std::numbers::pi) - g + std::exp(g) * squares.array())).matrix()));
}

TEST(RegressionLoss, DensitiesIntegrateToOneWithTheStatedVariance) {
  const StudentLoss student(5);
  const double g = 0.7;
  for (const RegressionLoss* loss : {gaussian_loss().get(), static_cast<const RegressionLoss*>(&student)}) {
    const Index count = 200001;
    const double step = 0.01;  // of residuals in [-1000, 1000]: the t density's tails are long
    Vector r(count);
    for (Index i = 0; i < count; ++i) r(i) = static_cast<Real>(step * static_cast<double>(i - count / 2));
    const DoubleVector density = (-losses_of(*loss, g, r).cast<double>().array()).exp();
    EXPECT_NEAR(density.sum() * step, 1, 1e-5);
    const double variance = density.dot(r.cast<double>().cwiseAbs2()) * step;
    EXPECT_NEAR(variance, loss->noise_variance(g), 1e-4);
  }
}

TEST(RegressionLoss, DerivativesEqualDifferences) {
  const StudentLoss student(4);
  const double g = -0.3;
  const double h = kRealName == std::string("double") ? 1e-5 : 1e-2;
  for (const RegressionLoss* loss : {gaussian_loss().get(), static_cast<const RegressionLoss*>(&student)}) {
    const Vector r = random_matrix(8, 1, 2, 0, 2).col(0);
    Vector slopes = r;
    const double precision_slope = loss->differentiate(g, slopes);
    const auto shifted = [&](double dr, double dg) {
      return DoubleVector(losses_of(*loss, g + dg, (r.array() + static_cast<Real>(dr)).matrix()).cast<double>());
    };
    EXPECT_TRUE(close(slopes, (shifted(h, 0) - shifted(-h, 0)) / (2 * h), kGradientTolerance));
    const double difference = (shifted(0, h).sum() - shifted(0, -h).sum()) / (2 * h);
    EXPECT_TRUE(close(precision_slope, difference, kGradientTolerance));
  }
}

TEST(RegressionLoss, StudentTendsToTheGaussian) {
  const Vector r = random_matrix(10, 1, 3).col(0);
  EXPECT_TRUE(close(losses_of(StudentLoss(1e6), 0.2, r), losses_of(GaussianLoss(), 0.2, r), 1e-4));
}

TEST(RegressionLoss, AnOutlierPullsLessUnderStudent) {
  Vector plain = Vector::Constant(1, 1000);
  Vector robust = plain;
  gaussian_loss()->differentiate(0, plain);
  StudentLoss(4).differentiate(0, robust);
  EXPECT_GT(plain(0), 999);
  EXPECT_LT(robust(0), 0.01);
  EXPECT_TRUE(losses_of(StudentLoss(4), 0, Vector::Constant(1, Real(1e30))).allFinite());
}

TEST(RegressionLoss, RefusesTooLittleFreedom) {
  EXPECT_THROW_MESSAGE(StudentLoss(2), InvalidArgument, "freedom is 2; it must be a finite number above 2");
  EXPECT_THROW_MESSAGE(StudentLoss(NAN), InvalidArgument, "freedom is nan");
}

}  // namespace
}  // namespace fedstein
