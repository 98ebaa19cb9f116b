// SPDX-License-Identifier: Apache-2.0
// Poisson and negative binomial regression against plain loops in double.
#include <gtest/gtest.h>

#include <memory>

#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/log_sum_exp.h"
#include "model/linear_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

enum class Kind { kPoisson, kNegativeBinomial };

std::unique_ptr<CountRegression> make(Kind kind, Index inputs, bool intercept = true) {
  const LinearWeights weights{.inputs = inputs, .intercept = intercept};
  if (kind == Kind::kPoisson) return std::make_unique<PoissonRegression>(weights);
  return std::make_unique<NegativeBinomialRegression>(NegativeBinomialRegression::Options{.weights = weights});
}

struct Plain {
  DoubleVector log_likelihood;
  DoubleMatrix score;
  DoubleVector mean;
  DoubleVector noise;
  DoubleVector log_density;
};

Plain by_loops(Kind kind, const Matrix& theta, const Rows& data, bool intercept) {
  const Index p = data.x.cols();
  const Index last = theta.cols() - 1;
  Plain out{DoubleVector::Zero(theta.rows()),
            DoubleMatrix::Zero(theta.rows(), theta.cols()),
            DoubleVector::Zero(data.x.rows()),
            DoubleVector::Zero(data.x.rows()),
            DoubleVector::Zero(data.x.rows())};
  const double share = 1 / static_cast<double>(theta.rows());
  std::vector<double> log_p(static_cast<std::size_t>(theta.rows()));
  for (Index i = 0; i < data.x.rows(); ++i) {
    const double y = data.y(i);
    for (Index n = 0; n < theta.rows(); ++n) {
      const double eta = plain_log_rate(theta, n, data.x, i, intercept);
      const double m = std::exp(eta);
      const double psi = double{theta(n, last)};
      const double alpha = kind == Kind::kPoisson ? 0 : std::exp(psi);
      const double one = kind == Kind::kPoisson ? plain_poisson(y, eta) : plain_negative_binomial(y, eta, psi);
      const double pull = (y - m) / (1 + alpha * m);
      out.log_likelihood(n) += one;
      for (Index k = 0; k < p; ++k) out.score(n, k) += pull * double{data.x(i, k)};
      if (intercept) out.score(n, p) += pull;
      if (kind == Kind::kNegativeBinomial) {
        // By the size r, term by term, and d r / d log alpha = -r.
        const double r = 1 / alpha;
        double by_size = 1 + std::log(r / (r + m)) - (y + r) / (r + m);
        for (double k = 0; k < y; ++k) by_size += 1 / (r + k);
        out.score(n, last) -= r * by_size;
      }
      out.mean(i) += share * m;
      out.noise(i) += share * (m + alpha * m * m);
      log_p[static_cast<std::size_t>(n)] = one;
    }
    out.log_density(i) = log_sum_exp(std::span<const double>(log_p)) + std::log(share);
  }
  return out;
}

class CountRegressionShapes : public testing::TestWithParam<std::tuple<Kind, Index, Index, bool, Index>> {};

TEST_P(CountRegressionShapes, EqualPlainLoops) {
  const auto [kind, rows, particles, intercept, inputs] = GetParam();
  const Rows data = count_rows(rows, inputs, 1);
  const auto model = make(kind, inputs, intercept);
  const Matrix theta = random_matrix(particles, model->dimension(), 2, 0, std::sqrt(1.0 / static_cast<double>(inputs)));
  const Plain expected = by_loops(kind, theta, data, intercept);
  EXPECT_TRUE(close(model->log_likelihood(theta, data.batch()), expected.log_likelihood));
  EXPECT_TRUE(close(likelihood_score(*model, theta, data.batch()), expected.score));
  EXPECT_TRUE(close(likelihood_score(*model, theta, data.batch(), -0.25), -0.25 * expected.score));
  EXPECT_TRUE(close(model->predict(theta, data.x).mean, expected.mean));
  EXPECT_TRUE(close(model->predict(theta, data.x).aleatoric_variance, expected.noise));
  EXPECT_TRUE(close(model->log_predictive(theta, data.batch()), expected.log_density));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         CountRegressionShapes,
                         testing::Combine(testing::Values(Kind::kPoisson, Kind::kNegativeBinomial),
                                          testing::Values(1, 100, 2500),
                                          testing::Values(1, 6, 9),
                                          testing::Bool(),
                                          testing::Values(1, 7, 20)));

class OfCounts : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, OfCounts, testing::Values(Kind::kPoisson, Kind::kNegativeBinomial));

// F(y) of the mixture summed up count by count: the central interval of 95 % and every other.
TEST_P(OfCounts, IntervalsAreThoseOfTheMixture) {
  const auto model = make(GetParam(), 3);
  const Rows data = count_rows(200, 3, 5);
  const Matrix theta = random_matrix(5, model->dimension(), 6, 0, 0.7);
  const DoubleVector masses = model->central_mass(theta, data.batch());
  const DoubleVector low = model->quantile(theta, data.x, 0.025);
  const DoubleVector high = model->quantile(theta, data.x, 0.975);
  for (Index i = 0; i < 200; ++i) {
    const auto cumulative = [&](double y) {
      double sum = 0;
      for (Index n = 0; n < 5; ++n) {
        const double eta = plain_log_rate(theta, n, data.x, i, true);
        for (double k = 0; k <= y; ++k) {
          const bool poisson = GetParam() == Kind::kPoisson;
          sum += std::exp(poisson ? plain_poisson(k, eta)
                                  : plain_negative_binomial(k, eta, double{theta(n, theta.cols() - 1)})) /
                 5;
        }
      }
      return sum;
    };
    const double y = data.y(i);
    EXPECT_NEAR(masses(i), std::max({0.0, 1 - 2 * cumulative(y), 2 * cumulative(y - 1) - 1}), 1e-5);
    EXPECT_EQ(y >= low(i) && y <= high(i), masses(i) <= 0.95) << "row " << i << ", count " << y;
    EXPECT_GE(cumulative(high(i)), 0.975 - 1e-6);
    EXPECT_LT(cumulative(high(i) - 1), 0.975 + 1e-6);
  }
  EXPECT_THROW_MESSAGE(model->quantile(theta, data.x, 1), InvalidArgument, "the level of a quantile is 1");
}

// One rate of a million: log density, score and moments to the digits of a double, but for those of w.x.
TEST_P(OfCounts, CountsOfMillionsLoseNoDigits) {
  const auto model = make(GetParam(), 2);
  Rows data = count_rows(20, 2, 7);
  Rng rng({.seed = 8, .purpose = Purpose::kTest});
  for (Real& y : data.y) y = static_cast<Real>(std::round(1e6 + 1e3 * rng.normal()));
  Matrix theta = Matrix::Zero(2, model->dimension());
  theta.col(2).setConstant(static_cast<Real>(std::log(1e6)));
  theta(1, 2) += 1e-3_r;
  if (GetParam() == Kind::kNegativeBinomial) theta.col(3).setConstant(-14);
  const Plain expected = by_loops(GetParam(), theta, data, true);
  // lgamma of a million has nine digits behind the point.
  EXPECT_TRUE(close(model->log_likelihood(theta, data.batch()), expected.log_likelihood, 1e-7));
  EXPECT_TRUE(close(model->predict(theta, data.x).mean, expected.mean, 1e-12));
  EXPECT_TRUE(close(likelihood_score(*model, theta, data.batch()), expected.score, 1e-5));
  EXPECT_LT(model->central_mass(theta.topRows(1), data.batch()).minCoeff(), 0.5);
}

// Above the greatest log rate the likelihood is its tangent: nothing overflows, and the slope leads back.
TEST_P(OfCounts, TooLargeALogRateLeadsBack) {
  const auto model = make(GetParam(), 1);
  const Rows data{Matrix::Ones(2, 1), Vector{{3, 0}}};
  Matrix theta = Matrix::Zero(3, model->dimension());
  theta.col(1) << 19.9_r, 1000, 100000;
  const DoubleVector log_likelihood = model->log_likelihood(theta, data.batch());
  const Matrix score = likelihood_score(*model, theta, data.batch());
  EXPECT_TRUE(log_likelihood.allFinite());
  EXPECT_TRUE(score.allFinite());
  EXPECT_LT(score.col(1).maxCoeff(), 0);
  EXPECT_LT(log_likelihood(2), log_likelihood(1));
  EXPECT_TRUE(close((log_likelihood(2) - log_likelihood(1)) / 99000, double{score(1, 1)}));
  const Prediction prediction = model->predict(theta, data.x);
  EXPECT_NEAR(prediction.mean(0), std::exp(20.0) * (2 + std::exp(-0.1)) / 3, 1e3);
  EXPECT_TRUE(model->central_mass(theta, data.batch()).allFinite());
  theta.col(1).setConstant(-1e4_r);  // and no count at all expected
  EXPECT_TRUE(model->log_likelihood(theta, data.batch()).allFinite());
  EXPECT_TRUE(likelihood_score(*model, theta, data.batch()).allFinite());
}

TEST_P(OfCounts, WhatIsNoNumberStaysNone) {
  const auto model = make(GetParam(), 2);
  const Rows data = count_rows(9, 2, 7);
  Matrix theta = Matrix::Zero(1, model->dimension());
  theta(0, 1) = NAN;
  EXPECT_TRUE(std::isnan(model->log_likelihood(theta, data.batch())(0)));
  EXPECT_TRUE(std::isnan(likelihood_score(*model, theta, data.batch())(0, 0)));
  EXPECT_TRUE(std::isnan(model->predict(theta, data.x).mean(0)));
}

TEST_P(OfCounts, AStartExpectsAsManyCountsAsThereAre) {
  const auto model = make(GetParam(), 3);
  Rows data = count_rows(400, 3, 9);
  data.y.array() *= 1000;
  Matrix particles = random_matrix(4, model->dimension(), 10);
  model->fit_start(data.batch(), particles);
  for (Index n = 0; n < 4; ++n) {
    const Prediction one = model->predict(particles.row(n), data.x);
    EXPECT_NEAR(one.mean.sum() / data.y.cast<double>().sum(), 1, 1e-4);
  }
  data.y.setZero();
  model->fit_start(data.batch(), particles);
  EXPECT_TRUE(particles.allFinite());
}

TEST_P(OfCounts, RefuseWhatIsNoCount) {
  const auto model = make(GetParam(), 3);
  const std::string name = GetParam() == Kind::kPoisson ? "PoissonRegression" : "NegativeBinomialRegression";
  Rows data = count_rows(5, 3, 11);
  for (const Real wrong : {-1.0_r, 0.5_r, 2e7_r, static_cast<Real>(NAN)}) {
    data.y(3) = wrong;
    EXPECT_THROW_MESSAGE(model->check_data(data.batch()),
                         InvalidArgument,
                         name + ": the label of row 3 is " + to_text(static_cast<double>(wrong)) +
                             "; it must be a count, a whole number from 0 to 16777216");
    EXPECT_THROW(model->log_likelihood(Matrix::Zero(1, model->dimension()), data.batch()), InvalidArgument);
  }
  data.y(3) = 4;
  data.x(1, 2) = NAN;
  EXPECT_THROW_MESSAGE(model->check_data(data.batch()), InvalidArgument, "x holds nan in row 1, column 2");
  EXPECT_THROW_MESSAGE(make(GetParam(), 0), InvalidArgument, "inputs is 0; it must be at least 1");
}

TEST(NegativeBinomialRegression, AStartSeesTheDispersion) {
  const NegativeBinomialRegression model({.weights = {.inputs = 1}});
  Rows data{Matrix::Zero(4000, 1), Vector(4000)};
  Rng rng({.seed = 12, .purpose = Purpose::kTest});
  // A Poisson of a Gamma's rate: mean 50, dispersion 1/2. A Poisson of so large a rate is a normal, rounded.
  for (Real& y : data.y) {
    const double rate = rng.gamma(2, 25);
    y = static_cast<Real>(std::max(0.0, std::round(rate + std::sqrt(rate) * rng.normal())));
  }
  Matrix particles = Matrix::Zero(2, 3);
  model.fit_start(data.batch(), particles);
  EXPECT_NEAR(std::exp(particles(0, 2)), 0.5, 0.05);
  EXPECT_NEAR(particles(0, 1), std::log(50), 0.05);
}

// Without dispersion it is the other: whatever the count, to the last digits.
TEST(NegativeBinomialRegression, TendsToPoissonRegression) {
  const PoissonRegression poisson({.inputs = 3});
  const NegativeBinomialRegression model({.weights = {.inputs = 3}});
  const Rows data = count_rows(300, 3, 13);
  Matrix theta = random_matrix(3, 5, 14);
  for (const Real psi : {-30.0_r, -50.0_r, -500.0_r}) {
    theta.col(4).setConstant(psi);
    EXPECT_TRUE(close(
        model.log_likelihood(theta, data.batch()), poisson.log_likelihood(theta.leftCols(4), data.batch()), 1e-9));
    EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()).leftCols(4),
                      likelihood_score(poisson, theta.leftCols(4), data.batch()),
                      1e-6));
    EXPECT_TRUE(
        close(model.central_mass(theta, data.batch()), poisson.central_mass(theta.leftCols(4), data.batch()), 1e-7));
  }
}

TEST(NegativeBinomialRegression, RefusesAPriorThatIsNone) {
  EXPECT_THROW_MESSAGE(NegativeBinomialRegression({.weights = {.inputs = 3}, .dispersion_shape = 0}),
                       InvalidArgument,
                       "dispersion_shape is 0");
  EXPECT_THROW_MESSAGE(NegativeBinomialRegression({.weights = {.inputs = 3}, .dispersion_rate = NAN}),
                       InvalidArgument,
                       "dispersion_rate is nan");
}

}  // namespace
}  // namespace fedstein
