// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/conjugate_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/svgd.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

DoubleMatrix matrix2(double a, double b, double c) {
  DoubleMatrix out(2, 2);
  out << a, b, b, c;
  return out;
}

ConjugateGaussian model2() {
  return {{(DoubleVector(2) << 0.5, -1).finished(), matrix2(2, 0.4, 1)}, matrix2(1.5, -0.5, 0.8)};
}

// Mean and covariance of exp(log_posterior) summed over a grid.
class ConjugatePosterior : public testing::TestWithParam<double> {};

TEST_P(ConjugatePosterior, EqualsNumericalIntegration) {
  const double temperature = GetParam();
  const ConjugateGaussian model = model2();
  const Rows data = target_rows(4, 2, 1);
  const Index side = 301;
  Matrix grid(side * side, 2);
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      grid(i * side + j, 0) = static_cast<Real>(-7.5 + 15.0 * static_cast<double>(i) / (side - 1));
      grid(i * side + j, 1) = static_cast<Real>(-7.5 + 15.0 * static_cast<double>(j) / (side - 1));
    }
  }
  const DoubleVector log_density = log_posterior(model, grid, data.batch(), temperature);
  DoubleVector weight = (log_density.array() - log_density.maxCoeff()).exp();
  weight /= weight.sum();
  const DoubleVector mean = grid.cast<double>().transpose() * weight;
  const DoubleMatrix centred = grid.cast<double>().rowwise() - mean.transpose();
  const DoubleMatrix covariance = centred.transpose() * weight.asDiagonal() * centred;
  const Gaussian exact = model.posterior(data.x, temperature);
  EXPECT_TRUE(close(exact.mean, mean, 1e-5));
  EXPECT_TRUE(close(exact.covariance, covariance, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Temperatures, ConjugatePosterior, testing::Values(0.5, 1.0, 4.0));

TEST(ConjugateGaussian, ScoresVanishAtThePosteriorMean) {
  const ConjugateGaussian model = model2();
  const Rows data = target_rows(9, 2, 2);
  const Matrix mean = model.posterior(data.x, 2).mean.transpose().cast<Real>();
  const Matrix score = prior_score(model, mean) + likelihood_score(model, mean, data.batch(), 0.5);
  EXPECT_LT(score.cwiseAbs().maxCoeff(), 1e-5);
}

TEST(ConjugateGaussian, DensitiesEqualTheirFormulaRowByRow) {
  const ConjugateGaussian model = model2();
  const Rows data = target_rows(3, 2, 3);
  const Matrix theta = random_matrix(4, 2, 4);
  const auto log_normal = [](const Eigen::Vector2d& gap, const DoubleMatrix& covariance) {
    return -0.5 * gap.dot(covariance.inverse() * gap) - 0.5 * std::log(covariance.determinant()) -
           std::log(2 * std::numbers::pi);
  };
  DoubleVector predictive = DoubleVector::Zero(3);
  for (Index n = 0; n < 4; ++n) {
    const Eigen::Vector2d t = theta.row(n).transpose().cast<double>();
    EXPECT_TRUE(close(model.prior_log_density(theta)(n), log_normal(t - Eigen::Vector2d(0.5, -1), matrix2(2, 0.4, 1))));
    double sum = 0;
    for (Index i = 0; i < 3; ++i) {
      const double row = log_normal(data.x.row(i).transpose().cast<double>() - t, matrix2(1.5, -0.5, 0.8));
      sum += row;
      predictive(i) += std::exp(row) / 4;
    }
    EXPECT_TRUE(close(model.log_likelihood(theta, data.batch())(n), sum));
  }
  EXPECT_TRUE(close(model.log_predictive(theta, data.batch()), predictive.array().log().matrix()));
  EXPECT_EQ(model.predictive(), nullptr);
}

TEST(ConjugateGaussian, SvgdFindsThePosteriorMean) {
  const ConjugateGaussian model = model2();
  const Rows data = target_rows(5, 2, 5);
  Matrix particles(40, 2);
  Rng rng({.seed = 6, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  const PriorScore prior(model);
  const FullLikelihood likelihood(model, data.batch());
  const AdaGrad small_steps({.learning_rate = 0.01});  // at the end particles swing by about this much
  svgd(particles, {{1, prior}, {1, likelihood}}, {.steps = 1500, .step_rule = &small_steps});
  const DoubleVector error = particles.cast<double>().colwise().mean().transpose() - model.posterior(data.x).mean;
  EXPECT_LT(error.norm(), 0.05);
}

TEST(ConjugateGaussian, PriorDrawsHaveThePriorsMoments) {
  Matrix particles(20000, 2);
  Rng rng({.seed = 7, .purpose = Purpose::kPriorDraw});
  model2().draw_prior(rng, particles);
  const DoubleMatrix values = particles.cast<double>();
  const DoubleVector mean = values.colwise().mean();
  EXPECT_NEAR(mean(0), 0.5, 0.05);
  EXPECT_NEAR(mean(1), -1, 0.05);
  const DoubleMatrix centred = values.rowwise() - mean.transpose();
  EXPECT_TRUE(close(centred.transpose() * centred / 20000, matrix2(2, 0.4, 1), 0.03));
}

TEST(ConjugateGaussian, RefusesImproperGaussians) {
  const DoubleVector zero = DoubleVector::Zero(2);
  EXPECT_THROW_MESSAGE(
      ConjugateGaussian({zero, matrix2(1, 2, 1)}, matrix2(1, 0, 1)), InvalidArgument, "not positive definite");
  EXPECT_THROW_MESSAGE(ConjugateGaussian({zero, DoubleMatrix::Identity(3, 3)}, matrix2(1, 0, 1)),
                       InvalidArgument,
                       "covariance is 3 x 3; it must be 2 x 2");
  EXPECT_THROW_MESSAGE(ConjugateGaussian({zero, matrix2(1, 0, 1)}, DoubleMatrix::Identity(3, 3)),
                       InvalidArgument,
                       "the noise covariance has 3 rows; it must have 2");
  DoubleMatrix lopsided = matrix2(1, 0, 1);
  lopsided(0, 1) = 0.5;
  EXPECT_THROW_MESSAGE(ConjugateGaussian({zero, lopsided}, matrix2(1, 0, 1)), InvalidArgument, "it must be symmetric");
  EXPECT_THROW_MESSAGE(model2().posterior(Matrix::Zero(1, 2), 0), InvalidArgument, "temperature is 0");
}

}  // namespace
}  // namespace fedstein
