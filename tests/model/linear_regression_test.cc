// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/linear_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "model/linear_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct Plain {
  DoubleVector log_likelihood;
  DoubleMatrix score;
  DoubleVector mean;
  DoubleVector density;  // of the mixture over particles
};

// Row by row and particle by particle, in double.
Plain by_loops(const Matrix& theta, const Rows& data, bool intercept) {
  const Index p = data.x.cols();
  const Index last = theta.cols() - 1;
  Plain out{DoubleVector::Zero(theta.rows()),
            DoubleMatrix::Zero(theta.rows(), theta.cols()),
            DoubleVector::Zero(data.x.rows()),
            DoubleVector::Zero(data.x.rows())};
  const auto share = 1 / static_cast<double>(theta.rows());
  for (Index n = 0; n < theta.rows(); ++n) {
    const double gamma = std::exp(double{theta(n, last)});
    for (Index i = 0; i < data.x.rows(); ++i) {
      const double f = plain_log_rate(theta, n, data.x, i, intercept);
      const double r = double{data.y(i)} - f;
      const double log_p = 0.5 * (std::log(gamma) - std::log(2 * std::numbers::pi) - gamma * r * r);
      out.log_likelihood(n) += log_p;
      for (Index k = 0; k < p; ++k) out.score(n, k) += gamma * r * double{data.x(i, k)};
      if (intercept) out.score(n, p) += gamma * r;
      out.score(n, last) += 0.5 - 0.5 * gamma * r * r;
      out.mean(i) += share * f;
      out.density(i) += share * std::exp(log_p);
    }
  }
  return out;
}

class LinearRegressionShapes : public testing::TestWithParam<std::tuple<Index, Index, bool, Index>> {};

TEST_P(LinearRegressionShapes, EqualPlainLoops) {
  const auto [rows, particles, intercept, inputs] = GetParam();
  const Rows data = target_rows(rows, inputs, 1);
  const LinearRegression model({.weights = {.inputs = inputs, .intercept = intercept}});
  const Matrix theta = random_matrix(particles, model.dimension(), 2, 0, std::sqrt(1.0 / static_cast<double>(inputs)));
  const Plain expected = by_loops(theta, data, intercept);
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), expected.log_likelihood));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), expected.score));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch(), -0.25), -0.25 * expected.score));
  EXPECT_TRUE(close(model.predict(theta, data.x).mean, expected.mean));
  EXPECT_TRUE(close(model.log_predictive(theta, data.batch()), expected.density.array().log().matrix()));
  EXPECT_TRUE(close(model.forecast(theta, data.batch()).mean, expected.mean));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         LinearRegressionShapes,
                         testing::Combine(testing::Values(1, 100, 5000),
                                          testing::Values(1, 6, 9),
                                          testing::Bool(),
                                          testing::Values(1, 7, 54)));

// A target in the millions whose noise is 1: all of it is in the last digits of single precision.
TEST(LinearRegression, LosesNothingToTheTargetsOffset) {
  constexpr double kOffset = 4e6;
  const LinearRegression model({.weights = {.inputs = 3, .intercept_deviation = 1e7}});
  Rows data = target_rows(3000, 3, 3);
  data.y = data.y.array().round();
  Matrix theta = random_matrix(4, model.dimension(), 4);
  theta.col(3).setZero();
  const Matrix score = likelihood_score(model, theta, data.batch());
  const DoubleVector log_likelihood = model.log_likelihood(theta, data.batch());
  const Prediction prediction = model.predict(theta, data.x);
  theta.col(3).setConstant(static_cast<Real>(kOffset));
  data.y.array() += static_cast<Real>(kOffset);
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), score, 1e-6));
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), log_likelihood, 1e-9));
  const Prediction shifted = model.predict(theta, data.x);
  EXPECT_TRUE(close((shifted.mean.array() - kOffset).matrix(), prediction.mean, 1e-6));
  EXPECT_TRUE(close(shifted.epistemic_variance, prediction.epistemic_variance, 1e-6));
}

TEST(LinearRegression, AStartIsFittedToOffsetAndNoise) {
  const LinearRegression model({.weights = {.inputs = 3}});
  Rows data = target_rows(500, 3, 5);
  data.y = (3 * data.y.array() + 70).matrix();
  Matrix particles = random_matrix(4, model.dimension(), 6, 0, 0.01);
  const Matrix before = particles;
  model.fit_start(data.batch(), particles);
  EXPECT_TRUE(identical(particles.leftCols(3), before.leftCols(3)));
  const double mean = data.y.cast<double>().mean();
  const double variance = (data.y.cast<double>().array() - mean).square().mean();
  for (Index n = 0; n < 4; ++n) {
    EXPECT_NEAR(particles(n, 3), mean, 0.02);
    EXPECT_NEAR(std::exp(-double{particles(n, 4)}), variance, 0.05 * variance);
  }
  data.y.setConstant(5);  // nothing left to explain: a finite precision all the same
  particles.leftCols(3).setZero();
  model.fit_start(data.batch(), particles);
  EXPECT_TRUE(particles.allFinite());
}

TEST(LinearRegression, PriorDrawsHaveThePriorsMoments) {
  const LinearRegression model({.weights = {.inputs = 20, .prior_deviation = 0.5}, .noise_shape = 3, .noise_rate = 2});
  EXPECT_EQ(model.dimension(), 22);
  EXPECT_EQ(model.weight_dimension(), 21);
  Matrix particles(4000, model.dimension());
  Rng rng({.seed = 9, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  EXPECT_NEAR(particles.leftCols(20).cast<double>().array().square().mean(), 0.25, 0.01);
  EXPECT_NEAR(particles.col(20).cast<double>().array().square().mean(), 100, 8);
  EXPECT_NEAR(particles.col(21).cast<double>().array().exp().mean(), 1.5, 0.05);
}

TEST(LinearRegression, NoRowsAddNothing) {
  const LinearRegression model({.weights = {.inputs = 3}});
  const Matrix theta = random_matrix(2, 5, 10);
  const Rows none{Matrix(0, 3), Vector(0)};
  EXPECT_TRUE(identical(likelihood_score(model, theta, none.batch()), Matrix::Zero(2, 5)));
  EXPECT_EQ(model.predict(theta, none.x).mean.size(), 0);
}

TEST(LinearRegression, RefusesWhatItCannotTake) {
  const LinearRegression model({.weights = {.inputs = 3}});
  Rows data = target_rows(5, 3, 11);
  data.y(2) = NAN;
  EXPECT_THROW_MESSAGE(model.check_data(data.batch()), InvalidArgument, "LinearRegression: y holds nan in row 2");
  EXPECT_THROW_MESSAGE(
      model.predict(Matrix::Zero(1, 5), Matrix::Zero(1, 4)), InvalidArgument, "x is 1 x 4; it must have 3 columns");
  EXPECT_THROW_MESSAGE(LinearRegression({.weights = {.inputs = 0}}), InvalidArgument, "inputs is 0");
  EXPECT_THROW_MESSAGE(
      LinearRegression({.weights = {.inputs = 1, .prior_deviation = 0}}), InvalidArgument, "prior_deviation is 0");
  EXPECT_THROW_MESSAGE(LinearRegression({.weights = {.inputs = 1, .intercept_deviation = NAN}}),
                       InvalidArgument,
                       "intercept_deviation is nan");
  EXPECT_THROW_MESSAGE(
      LinearRegression({.weights = {.inputs = 1}, .noise_rate = -1}), InvalidArgument, "noise_rate is -1");
}

}  // namespace
}  // namespace fedstein
