// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/logistic_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "model/model_data.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

struct Plain {
  DoubleVector log_likelihood;
  DoubleMatrix score;
  DoubleVector probability;  // of +1
  DoubleVector entropy;
};

// Row by row and particle by particle, in double. kappa: the factor of w.x in predictions, per row.
Plain by_loops(const Matrix& theta, const Rows& data, bool intercept = false, double smoothing = 0) {
  const Index p = data.x.cols();
  Plain out{DoubleVector::Zero(theta.rows()),
            DoubleMatrix::Zero(theta.rows(), theta.cols()),
            DoubleVector::Zero(data.x.rows()),
            DoubleVector::Zero(data.x.rows())};
  for (Index n = 0; n < theta.rows(); ++n) {
    for (Index i = 0; i < data.x.rows(); ++i) {
      double z = intercept ? theta(n, p) : 0;
      double norm = intercept ? 1 : 0;
      for (Index k = 0; k < p; ++k) {
        z += double{data.x(i, k)} * double{theta(n, k)};
        norm += double{data.x(i, k)} * double{data.x(i, k)};
      }
      const double y = data.y(i);
      out.log_likelihood(n) -= std::log1p(std::exp(-y * z));
      const double pull = y / (1 + std::exp(y * z));
      for (Index k = 0; k < p; ++k) out.score(n, k) += pull * double{data.x(i, k)};
      if (intercept) out.score(n, p) += pull;
      const double kappa = 1 / std::sqrt(1 + std::numbers::pi / 8 * smoothing * smoothing * norm);
      const double prob = 1 / (1 + std::exp(-kappa * z));
      const auto share = static_cast<double>(theta.rows());
      out.probability(i) += prob / share;
      out.entropy(i) -= (prob * std::log(prob) + (1 - prob) * std::log(1 - prob)) / share;
    }
  }
  return out;
}

// Rows below and above the size that is cut into pieces, particles and inputs for each kind of product.
using Prior = LogisticRegression::Prior;
class LogisticRegressionShapes : public testing::TestWithParam<std::tuple<Index, Index, bool, Index, Prior>> {};

TEST_P(LogisticRegressionShapes, EqualPlainLoops) {
  const auto [rows, particles, intercept, inputs, prior] = GetParam();
  const Rows data = signed_rows(rows, inputs, 1);
  const LogisticRegression model(inputs, {.prior = prior, .intercept = intercept});
  // Margins of one size whatever the inputs: the loops' 1 - p has no digits left beside a certain label.
  const Matrix theta = random_matrix(particles, model.dimension(), 2, 0, std::sqrt(7.0 / static_cast<double>(inputs)));
  const Plain expected = by_loops(theta, data, intercept);
  EXPECT_TRUE(close(model.log_likelihood(theta, data.batch()), expected.log_likelihood));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch()), expected.score));
  EXPECT_TRUE(close(likelihood_score(model, theta, data.batch(), -0.25), -0.25 * expected.score));
  const Prediction prediction = model.predict(theta, data.x);
  EXPECT_TRUE(close(prediction.probabilities.col(1), expected.probability));
  EXPECT_TRUE(close(prediction.probabilities.rowwise().sum(), DoubleVector::Ones(rows)));
  EXPECT_TRUE(close(prediction.mean_entropy, expected.entropy));
  EXPECT_EQ(prediction.mean.size(), 0);
  const DoubleVector of_label =
      (data.y.array() > 0).select(expected.probability.array(), 1 - expected.probability.array()).matrix();
  EXPECT_TRUE(close(model.log_predictive(theta, data.batch()), of_label.array().log().matrix()));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         LogisticRegressionShapes,
                         testing::Combine(testing::Values(1, 100, 1024, 5000),
                                          testing::Values(1, 2, 6, 9),
                                          testing::Bool(),
                                          testing::Values(7, 54),
                                          testing::Values(Prior::kGamma, Prior::kNormal)));

TEST(LogisticRegression, ScoresAddToWhatIsThere) {
  const Rows data = signed_rows(10, 3, 3);
  const LogisticRegression model(3);
  const Matrix theta = random_matrix(4, 4, 4);
  Matrix grad = random_matrix(4, 4, 5);
  const Matrix before = grad;
  model.add_likelihood_score(theta, data.batch(), 2, grad);
  model.add_prior_score(theta, 1, grad);
  EXPECT_TRUE(close(grad, before + likelihood_score(model, theta, data.batch(), 2) + prior_score(model, theta)));
}

TEST(LogisticRegression, SmoothingIsTheProbitForm) {
  const Rows data = signed_rows(20, 3, 6);
  const Matrix theta = random_matrix(5, 4, 7);
  const LogisticRegression model(3, {.smoothing = 0.55});
  EXPECT_TRUE(close(model.predict(theta, data.x).probabilities.col(1), by_loops(theta, data, false, 0.55).probability));
  // Against the integral that it stands for: sigmoid(z + lambda |x| u) over u ~ N(0, 1), to the probit's known 2 %.
  const Matrix one = theta.topRows(1);
  const DoubleVector smoothed = model.predict(one, data.x).probabilities.col(1).cast<double>();
  for (Index i = 0; i < data.x.rows(); ++i) {
    const double z = data.x.row(i).dot(one.row(0).head(3));
    const double deviation = 0.55 * data.x.row(i).norm();
    double integral = 0;
    for (double u = -8; u < 8; u += 0.01) {
      integral += 0.01 * std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi) / (1 + std::exp(-z - deviation * u));
    }
    EXPECT_NEAR(smoothed(i), integral, 0.02);
  }
}

TEST(LogisticRegression, StaysFiniteForHugeMargins) {
  Rows data = signed_rows(6, 2, 8);
  data.x.setConstant(1);
  const LogisticRegression model(2);
  Matrix theta(2, 3);
  theta << 500, 500, 0, -500, -500, 0;
  const DoubleVector log_likelihood = model.log_likelihood(theta, data.batch());
  EXPECT_TRUE(log_likelihood.allFinite());
  EXPECT_TRUE(close(log_likelihood(0), -1000.0 * static_cast<double>((data.y.array() < 0).count())));
  EXPECT_TRUE(likelihood_score(model, theta, data.batch()).allFinite());
  EXPECT_TRUE(model.log_predictive(theta.topRows(1), data.batch()).allFinite());
  const Prediction prediction = model.predict(theta, data.x);
  EXPECT_TRUE(prediction.probabilities.allFinite());
  EXPECT_TRUE(close(prediction.mean_entropy, DoubleVector::Zero(6), 1e-12));
}

TEST(LogisticRegression, PriorDrawsHaveThePriorsMoments) {
  const LogisticRegression model(40, {.prior_shape = 3, .prior_scale = 0.5});
  Matrix particles(2000, model.dimension());
  Rng rng({.seed = 9, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  const DoubleVector log_xi = particles.col(40).cast<double>();
  EXPECT_NEAR(log_xi.array().exp().mean(), 1.5, 0.1);
  // w sqrt(xi) is standard normal whatever xi.
  const DoubleMatrix scaled =
      (particles.leftCols(40).cast<double>().array().colwise() * (0.5 * log_xi.array()).exp()).matrix();
  EXPECT_NEAR(scaled.mean(), 0, 0.02);
  EXPECT_NEAR(scaled.array().square().mean(), 1, 0.02);
}

TEST(LogisticRegression, TheNormalPriorHasNoParameterOfItsOwn) {
  EXPECT_EQ(LogisticRegression(7).dimension(), 8) << "in C++ the paper's model is the default";
  EXPECT_EQ(LogisticRegression(7, {.prior = Prior::kNormal}).dimension(), 7);
  const LogisticRegression model(7, {.prior = Prior::kNormal, .intercept = true});
  EXPECT_EQ(model.dimension(), 8);
  EXPECT_EQ(model.weight_dimension(), 8);
}

// Weights N(0, 20/p), so that w.x has one deviation whatever p; the intercept N(0, 10^2) whatever the weights'.
TEST(LogisticRegression, TheNormalPriorIsNormal) {
  for (const double given : {0.0, 0.3}) {
    const LogisticRegression model(5, {.prior = Prior::kNormal, .prior_deviation = given, .intercept = true});
    const double s = given > 0 ? given : 2;
    Matrix particles(20000, 6);
    Rng rng({.seed = 9, .purpose = Purpose::kPriorDraw});
    model.draw_prior(rng, particles);
    EXPECT_NEAR(std::sqrt(particles.leftCols(5).cast<double>().array().square().mean()) / s, 1, 0.02);
    EXPECT_NEAR(std::sqrt(particles.col(5).cast<double>().array().square().mean()) / 10, 1, 0.02);
    EXPECT_NEAR(particles.leftCols(5).cast<double>().mean() / s, 0, 0.02);

    const Matrix theta = random_matrix(3, 6, 4);
    for (Index n = 0; n < 3; ++n) {
      double expected = 0;
      for (Index k = 0; k < 6; ++k) {
        const double deviation = k == 5 ? 10 : s;
        const double z = double{theta(n, k)} / deviation;
        expected -= z * z / 2 + std::log(deviation) + std::log(2 * std::numbers::pi) / 2;
      }
      EXPECT_NEAR(model.prior_log_density(theta)(n), expected, 1e-4);
    }
  }
}

TEST(LogisticRegression, NoRowsAddNothing) {
  const LogisticRegression model(3);
  const Matrix theta = random_matrix(2, 4, 10);
  const Rows none{Matrix(0, 3), Vector(0)};
  EXPECT_TRUE(identical(likelihood_score(model, theta, none.batch()), Matrix::Zero(2, 4)));
  EXPECT_TRUE(close(model.log_likelihood(theta, none.batch()), DoubleVector::Zero(2)));
  EXPECT_EQ(model.predict(theta, none.x).probabilities.rows(), 0);
}

TEST(LogisticRegression, RefusesWhatItCannotTake) {
  const LogisticRegression model(3);
  Rows data = signed_rows(5, 3, 11);
  Matrix theta = random_matrix(2, 4, 12);
  Matrix grad = Matrix::Zero(2, 4);
  data.y(3) = Real(0.5);
  EXPECT_THROW_MESSAGE(model.add_likelihood_score(theta, data.batch(), 1, grad),
                       InvalidArgument,
                       "LogisticRegression: the label of row 3 is 0.5; it must be -1 or 1");
  EXPECT_THROW_MESSAGE(model.log_predictive(theta, data.batch()), InvalidArgument, "the label of row 3 is 0.5");
  data.y(3) = 0;
  EXPECT_THROW_MESSAGE(model.check_data(data.batch()), InvalidArgument, "the label of row 3 is 0;");
  data.y(3) = 1;
  data.x(1, 2) = NAN;
  EXPECT_THROW_MESSAGE(model.check_data(data.batch()), InvalidArgument, "x holds nan in row 1, column 2");
  const Rows wide = signed_rows(5, 4, 11);
  EXPECT_THROW_MESSAGE(
      model.log_likelihood(theta, wide.batch()), InvalidArgument, "x is 5 x 4; it must have 3 columns");
  EXPECT_THROW_MESSAGE(model.predict(theta, wide.x), InvalidArgument, "x is 5 x 4; it must have 3 columns");
  const Vector four = data.y.head(4);
  EXPECT_THROW_MESSAGE(model.log_likelihood(theta, {data.x, four}), InvalidArgument, "y has 4 values");
  EXPECT_THROW_MESSAGE(model.prior_log_density(theta.leftCols(3)), InvalidArgument, "theta is 2 x 3");
  EXPECT_THROW_MESSAGE(model.prior_log_density(Matrix(0, 4)), InvalidArgument, "theta is 0 x 4");
  Matrix narrow = Matrix::Zero(2, 3);
  EXPECT_THROW_MESSAGE(model.add_prior_score(theta, 1, narrow), InvalidArgument, "grad is 2 x 3");
  EXPECT_THROW_MESSAGE(model.add_prior_score(theta, NAN, grad), InvalidArgument, "weight is nan");
  EXPECT_THROW_MESSAGE(LogisticRegression(3, {.prior_scale = 0}), InvalidArgument, "prior_scale is 0");
  EXPECT_THROW_MESSAGE(LogisticRegression(3, {.prior = Prior::kNormal, .prior_deviation = -1}),
                       InvalidArgument,
                       "prior_deviation is -1; it must be a finite number, 0 or above");
  EXPECT_THROW_MESSAGE(LogisticRegression(3, {.smoothing = -1}), InvalidArgument, "smoothing is -1");
  EXPECT_THROW_MESSAGE(LogisticRegression(3, {.loss = nullptr}), InvalidArgument, "loss is null");
  EXPECT_THROW_MESSAGE(LogisticRegression(0), InvalidArgument, "inputs is 0");
}

}  // namespace
}  // namespace fedstein
