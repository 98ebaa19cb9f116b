// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/gaussian_mixture.h"

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

double normal(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

Matrix row_of(double value) {
  return Matrix::Constant(1, 1, static_cast<Real>(value));
}

TEST(GaussianMixture, OneDimensionalToyIsThePapers) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const Matrix theta = random_matrix(9, 1, 1, 0, 3);
  const Rows of_first{row_of(0), Vector::Zero(1)};
  const Rows of_second{row_of(1), Vector::Zero(1)};
  ASSERT_EQ(model.factors(), 2);
  for (Index n = 0; n < 9; ++n) {
    const double t = theta(n, 0);
    const double first = normal(t, 1, 4);
    const double second = normal(t, -3, 1) + normal(t, 3, 2);
    EXPECT_TRUE(close(model.log_likelihood(theta, of_first.batch())(n), std::log(first)));
    EXPECT_TRUE(close(model.log_likelihood(theta, of_second.batch())(n), std::log(second)));
    EXPECT_TRUE(close(model.log_posterior(theta)(n), std::log(normal(t, 0, 1) * first * second)));
    EXPECT_TRUE(close(model.log_posterior(theta, 2)(n), std::log(normal(t, 0, 1)) + std::log(first * second) / 2));
  }
}

TEST(GaussianMixture, TwoDimensionalToyIsThePapers) {
  const GaussianMixture model = toy_mixture_2d();
  const Matrix theta = random_matrix(5, 2, 2, 0, 2);
  const auto density = [](const Eigen::Vector2d& x, double m0, double m1, double a, double b, double c) {
    Eigen::Matrix2d covariance;
    covariance << a, b, b, c;
    const Eigen::Vector2d gap = x - Eigen::Vector2d(m0, m1);
    return std::exp(-0.5 * gap.dot(covariance.inverse() * gap)) /
           (2 * std::numbers::pi * std::sqrt(covariance.determinant()));
  };
  for (Index n = 0; n < 5; ++n) {
    const Eigen::Vector2d t = theta.row(n).transpose().cast<double>();
    const double expected = density(t, 0, 0, 4, 2, 4) *
                            (density(t, -1.71, -1.801, 0.226, 0.1652, 0.6779) + density(t, 1, 0, 2, 0.5, 2)) *
                            density(t, 1, 0, 3, 0.5, 3);
    EXPECT_TRUE(close(model.log_posterior(theta)(n), std::log(expected)));
  }
}

TEST(GaussianMixture, UniformPriorHasASupport) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kUniform);
  ASSERT_NE(model.support(), nullptr);
  EXPECT_EQ(toy_mixture_1d(ToyPrior::kNormal).support(), nullptr);
  Matrix theta(3, 1);
  theta << -6, 2, 6.5;
  const DoubleVector log_prior = model.prior_log_density(theta);
  EXPECT_TRUE(close(log_prior.head(2), DoubleVector::Constant(2, -std::log(12.0))));
  EXPECT_EQ(log_prior(2), -INFINITY);
  EXPECT_TRUE(identical(prior_score(model, theta), Matrix::Zero(3, 1)));
  Matrix particles(5000, 1);
  Rng rng({.seed = 3, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  EXPECT_GE(particles.minCoeff(), -6);
  EXPECT_LE(particles.maxCoeff(), 6);
  EXPECT_NEAR(particles.cast<double>().array().square().mean(), 12, 0.5);
}

TEST(GaussianMixture, ReflectionKeepsSvgdInsideTheSupport) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kUniform);
  const Matrix rows = model.factor_rows();
  const Vector y = Vector::Zero(rows.rows());
  const PriorScore prior(model);
  const FullLikelihood likelihood(model, {rows, y});
  Matrix particles(50, 1);
  Rng rng({.seed = 4, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  const PlainStep leaps(50);  // far outside without reflection
  svgd(particles, {{1, prior}, {1, likelihood}}, {.steps = 20, .step_rule = &leaps, .constrain = constraint_of(model)});
  EXPECT_GE(particles.minCoeff(), -6);
  EXPECT_LE(particles.maxCoeff(), 6);
  const GaussianMixture unbounded = toy_mixture_2d();
  EXPECT_FALSE(constraint_of(unbounded));
}

TEST(GaussianMixture, FarAwayIsFinite) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const Matrix theta = (Matrix(2, 1) << 1000, -1000).finished();
  const Rows second{row_of(1), Vector::Zero(1)};
  EXPECT_TRUE(model.log_posterior(theta).allFinite());
  const Matrix score = likelihood_score(model, theta, second.batch());
  EXPECT_TRUE(close(score, (Matrix(2, 1) << -997.0 / 2, 1003.0 / 2).finished()));  // the wider component rules far out
}

TEST(GaussianMixture, WeightsAndRepeatedRowsCount) {
  const Gaussian unit{DoubleVector::Zero(1), DoubleMatrix::Identity(1, 1)};
  const GaussianMixture model(unit, {{{0.3, unit}, {2, {DoubleVector::Constant(1, 2), DoubleMatrix::Identity(1, 1)}}}});
  const Matrix theta = row_of(0.5);
  const Rows twice{Matrix::Zero(2, 1), Vector::Zero(2)};
  const double expected = 2 * std::log(0.3 * normal(0.5, 0, 1) + 2 * normal(0.5, 2, 1));
  EXPECT_TRUE(close(model.log_likelihood(theta, twice.batch())(0), expected));
  EXPECT_TRUE(close(model.log_predictive(theta, twice.batch()), DoubleVector::Constant(2, expected / 2)));
}

TEST(GaussianMixture, RefusesWhatItCannotTake) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  Matrix theta = row_of(0);
  Matrix grad = row_of(0);
  for (const double index : {2.0, -1.0, 0.5, double{NAN}}) {
    const Rows bad{row_of(index), Vector::Zero(1)};
    EXPECT_THROW_MESSAGE(model.add_likelihood_score(theta, bad.batch(), 1, grad),
                         InvalidArgument,
                         "it must be a whole number from 0 to 1");
  }
  const Gaussian unit{DoubleVector::Zero(1), DoubleMatrix::Identity(1, 1)};
  EXPECT_THROW_MESSAGE(GaussianMixture(unit, {}), InvalidArgument, "there are no factors");
  EXPECT_THROW_MESSAGE(GaussianMixture(unit, {{}}), InvalidArgument, "a factor has no components");
  EXPECT_THROW_MESSAGE(GaussianMixture(unit, {{{-1, unit}}}), InvalidArgument, "the weight of a component is -1");
  const Gaussian wide{DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)};
  EXPECT_THROW_MESSAGE(GaussianMixture(unit, {{{1, wide}}}), InvalidArgument, "mean has 2 coordinates; it must have 1");
  const Support upside_down{DoubleVector::Constant(1, 6), DoubleVector::Constant(1, -6)};
  EXPECT_THROW_MESSAGE(GaussianMixture(upside_down, {{{1, unit}}}), InvalidArgument, "coordinate 0 is [6, -6]");
}

}  // namespace
}  // namespace fedstein
