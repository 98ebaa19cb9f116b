// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/numeric/check.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// One network, one row, in double: hidden units and outputs.
struct PlainNetwork {
  Index inputs, hidden, outputs;
  Index w2() const { return (inputs + 1) * hidden; }
  Index b2() const { return w2() + hidden * outputs; }

  std::vector<double> units(const Matrix& theta, Index n, const Matrix& x, Index i) const {
    std::vector<double> result;
    for (Index h = 0; h < hidden; ++h) {
      double sum = theta(n, inputs * hidden + h);
      for (Index k = 0; k < inputs; ++k) sum += double{x(i, k)} * double{theta(n, k * hidden + h)};
      result.push_back(std::max(0.0, sum));
    }
    return result;
  }
  double output(const Matrix& theta, Index n, const std::vector<double>& unit, Index c) const {
    double sum = theta(n, b2() + c);
    for (Index h = 0; h < hidden; ++h)
      sum += unit[static_cast<std::size_t>(h)] * double{theta(n, w2() + h * outputs + c)};
    return sum;
  }
  // score.row(n) += gradient of pull . outputs
  void add(const Matrix& theta,
           Index n,
           const Matrix& x,
           Index i,
           const std::vector<double>& unit,
           const std::vector<double>& pull,
           DoubleMatrix& score) const {
    for (Index h = 0; h < hidden; ++h) {
      double back = 0;
      for (Index c = 0; c < outputs; ++c) {
        const double p = pull[static_cast<std::size_t>(c)];
        score(n, w2() + h * outputs + c) += p * unit[static_cast<std::size_t>(h)];
        back += p * double{theta(n, w2() + h * outputs + c)};
      }
      if (unit[static_cast<std::size_t>(h)] <= 0) continue;
      score(n, inputs * hidden + h) += back;
      for (Index k = 0; k < inputs; ++k) score(n, k * hidden + h) += back * double{x(i, k)};
    }
    for (Index c = 0; c < outputs; ++c) score(n, b2() + c) += pull[static_cast<std::size_t>(c)];
  }
};

// Rows below and above one block, with and without slices of rows; inputs below and above one slice of the product.
class BnnShapes : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};

TEST_P(BnnShapes, ClassificationEqualsPlainLoops) {
  const auto [rows, particles, inputs] = GetParam();
  const PlainNetwork net{inputs, 4, 3};
  const BnnClassification model({.inputs = inputs, .hidden = 4, .classes = 3});
  const Rows data = class_rows(rows, inputs, 3, 1);
  Matrix theta = random_matrix(particles, model.dimension(), 2, 0, 0.3);
  DoubleVector log_likelihood = DoubleVector::Zero(particles);
  DoubleMatrix score = DoubleMatrix::Zero(particles, model.dimension());
  DoubleMatrix probabilities = DoubleMatrix::Zero(rows, 3);
  DoubleVector entropy = DoubleVector::Zero(rows);
  for (Index n = 0; n < particles; ++n) {
    for (Index i = 0; i < rows; ++i) {
      const auto unit = net.units(theta, n, data.x, i);
      double sum = 0;
      std::vector<double> p;
      for (Index c = 0; c < 3; ++c) p.push_back(std::exp(net.output(theta, n, unit, c)));
      for (const double value : p) sum += value;
      for (double& value : p) value /= sum;
      for (Index c = 0; c < 3; ++c) {
        const double value = p[static_cast<std::size_t>(c)];
        probabilities(i, c) += value / static_cast<double>(particles);
        entropy(i) -= value * std::log(value) / static_cast<double>(particles);
      }
      const auto label = static_cast<std::size_t>(data.y(i));
      log_likelihood(n) += std::log(p[label]);
      for (double& value : p) value = -value;
      p[label] += 1;
      net.add(theta, n, data.x, i, unit, p, score);
    }
  }
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), log_likelihood));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), score));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch(), 3), 3 * score));
  const Prediction prediction = model.predict(theta, data.x);
  EXPECT_TRUE(close(prediction.probabilities, probabilities));
  EXPECT_TRUE(close(prediction.mean_entropy, entropy));
  EXPECT_TRUE(close(prediction.probabilities.rowwise().sum(), DoubleVector::Ones(rows)));
  const DoubleVector log_predictive = model.log_predictive(theta, data.batch());
  for (Index i = 0; i < rows; ++i) {
    ASSERT_NEAR(log_predictive(i), std::log(probabilities(i, static_cast<Index>(data.y(i)))), 1e-4);
  }
}

TEST_P(BnnShapes, RegressionEqualsPlainLoops) {
  const auto [rows, particles, inputs] = GetParam();
  const PlainNetwork net{inputs, 4, 1};
  const BnnRegression model({.inputs = inputs, .hidden = 4});
  const Rows data = target_rows(rows, inputs, 3);
  const Matrix theta = random_matrix(particles, model.dimension(), 4, 0, 0.3);
  const Index last = model.dimension() - 1;
  DoubleVector log_likelihood = DoubleVector::Zero(particles);
  DoubleMatrix score = DoubleMatrix::Zero(particles, model.dimension());
  DoubleMatrix outputs(rows, particles);
  DoubleMatrix densities(rows, particles);
  double noise = 0;
  for (Index n = 0; n < particles; ++n) {
    const double precision = std::exp(double{theta(n, last)});
    noise += 1 / precision / static_cast<double>(particles);
    for (Index i = 0; i < rows; ++i) {
      const auto unit = net.units(theta, n, data.x, i);
      outputs(i, n) = net.output(theta, n, unit, 0);
      const double r = double{data.y(i)} - outputs(i, n);
      densities(i, n) = std::sqrt(precision / (2 * std::numbers::pi)) * std::exp(-precision * r * r / 2);
      log_likelihood(n) += 0.5 * std::log(precision / (2 * std::numbers::pi)) - precision * r * r / 2;
      score(n, last) += 0.5 - precision * r * r / 2;
      net.add(theta, n, data.x, i, unit, {precision * r}, score);
    }
  }
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), log_likelihood));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), score));
  const Prediction prediction = model.predict(theta, data.x);
  const DoubleVector mean = outputs.rowwise().mean();
  EXPECT_TRUE(close(prediction.mean, mean));
  EXPECT_TRUE(close(prediction.aleatoric_variance, DoubleVector::Constant(rows, noise)));
  EXPECT_TRUE(close(prediction.epistemic_variance, (outputs.colwise() - mean).rowwise().squaredNorm() / particles));
  EXPECT_EQ(prediction.probabilities.size(), 0);
  const DoubleVector log_predictive = densities.rowwise().mean().array().log().matrix();
  EXPECT_TRUE(close(model.log_predictive(theta, data.batch()), log_predictive));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         BnnShapes,
                         testing::Values(std::tuple{1, 1, 2},
                                         std::tuple{100, 5, 3},
                                         std::tuple{40, 3, 300},
                                         std::tuple{600, 20, 2},
                                         std::tuple{4300, 3, 2}));

TEST(Bnn, HugeWeightsGiveFiniteValues) {
  const BnnClassification model({.inputs = 1, .hidden = 1, .classes = 3});
  Matrix theta = Matrix::Zero(1, model.dimension());
  theta(0, 0) = 1;                               // the hidden unit is x
  theta.row(0).segment(2, 3) << 1000, 0, -1000;  // logits of +-1000
  const Rows data{Matrix::Ones(3, 1), (Vector(3) << 0, 1, 2).finished()};
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), DoubleVector::Constant(1, -3000)));
  EXPECT_TRUE(likelihood_score(model, theta, data.batch()).allFinite());
  EXPECT_TRUE(model.predict(theta, data.x).mean_entropy.allFinite());
  EXPECT_TRUE(model.log_predictive(theta, data.batch()).allFinite());
}

TEST(Bnn, StartIsTheUsualInitialisation) {
  const BnnRegression model({.inputs = 8, .hidden = 500});
  Matrix particles(10, model.dimension());
  Rng rng({.seed = 5, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  EXPECT_NEAR(particles.leftCols(4000).cast<double>().array().square().mean(), 1.0 / 9, 0.003);
  EXPECT_TRUE(identical(particles.middleCols(4000, 500), Matrix::Zero(10, 500)));
  EXPECT_NEAR(particles.middleCols(4500, 500).cast<double>().array().square().mean(), 1.0 / 501, 0.0002);
  EXPECT_TRUE(identical(particles.col(5000), Vector::Zero(10)));

  const Rows data = target_rows(300, 8, 6);
  model.fit_start(data.batch(), particles);
  const Prediction of_first = model.predict(particles.topRows(1), data.x);
  const double error = (of_first.mean - data.y.cast<double>()).squaredNorm() / 300;
  EXPECT_TRUE(close(static_cast<double>(particles(0, 5001)), -std::log(error)));
  EXPECT_TRUE(close(of_first.aleatoric_variance(0), error));
}

TEST(Bnn, PriorIsNormalised) {
  // Against the densities written out: N(0, 1/e) for the weights, Gamma(1, rate 0.1) of gamma times its Jacobian.
  const BnnRegression model({.inputs = 1, .hidden = 1});
  const Matrix theta = random_matrix(3, model.dimension(), 7);
  for (Index n = 0; n < 3; ++n) {
    double expected = 0;
    for (Index k = 0; k < 4; ++k) {
      const double t = theta(n, k);
      expected += 0.5 * std::log(std::numbers::e / (2 * std::numbers::pi)) - std::numbers::e / 2 * t * t;
    }
    const double g = theta(n, 4);
    expected += std::log(0.1 * std::exp(-0.1 * std::exp(g))) + g;
    EXPECT_TRUE(close(model.prior_log_density(theta)(n), expected));
  }
}

TEST(Bnn, RefusesWhatItCannotTake) {
  const BnnClassification model({.inputs = 2, .hidden = 3, .classes = 3});
  Rows data = class_rows(5, 2, 3, 8);
  Matrix theta = random_matrix(2, model.dimension(), 9);
  Matrix grad = Matrix::Zero(2, model.dimension());
  for (const double label : {3.0, -1.0, 0.5, double{NAN}, 1e30}) {
    data.y(4) = static_cast<Real>(label);
    EXPECT_THROW_MESSAGE(model.add_likelihood_score(theta, data.batch(), 1, grad),
                         InvalidArgument,
                         "it must be a whole number from 0 to 2");
    EXPECT_THROW_MESSAGE(model.log_likelihood(theta, data.batch()), InvalidArgument, "the label of row 4 is");
  }
  EXPECT_THROW_MESSAGE(model.log_likelihood(theta.leftCols(4), data.batch()), InvalidArgument, "theta is 2 x 4");
  EXPECT_THROW_MESSAGE(BnnClassification({.inputs = 2, .hidden = 0, .classes = 3}), InvalidArgument, "0 hidden units");
  EXPECT_THROW_MESSAGE(BnnClassification({.inputs = 2, .hidden = 3, .classes = 1}), InvalidArgument, "classes is 1");
  EXPECT_THROW_MESSAGE(BnnClassification({.inputs = 2, .hidden = 3, .classes = 3, .labels = Labels::kSigned}),
                       InvalidArgument,
                       "labels -1 and 1 need 2 classes, not 3");
  const BnnRegression regression({.inputs = 2, .hidden = 3});
  data.y(4) = INFINITY;
  EXPECT_THROW_MESSAGE(regression.check_data(data.batch()), InvalidArgument, "y holds inf in row 4");
  EXPECT_THROW_MESSAGE(BnnRegression({.inputs = 2, .noise_rate = -1}), InvalidArgument, "noise_rate is -1");
}

}  // namespace
}  // namespace fedstein
