// SPDX-License-Identifier: Apache-2.0
// Every model, prior and loss against finite differences of its own log density.
#include <gtest/gtest.h>

#include <memory>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "fedstein/stein/gradient_check.h"
#include "model/linear_data.h"

namespace fedstein {
namespace {

void expect_exact_scores(const Model& model, const Batch& batch, const Matrix& points) {
  const GradientReport prior = check_gradient(
      [&](const ConstMatrixRef& theta) { return model.prior_log_density(theta); }, PriorScore(model), points);
  EXPECT_TRUE(prior) << "prior: " << prior.message;
  const GradientReport likelihood =
      check_gradient([&](const ConstMatrixRef& theta) { return model.log_likelihood(theta, batch); },
                     FullLikelihood(model, batch),
                     points);
  EXPECT_TRUE(likelihood) << "likelihood: " << likelihood.message;
}

void expect_exact_scores(const Model& model, const Batch& batch) {
  expect_exact_scores(model, batch, random_matrix(4, model.dimension(), 77));
}

// A rectified unit has a kink, which a difference quotient must not straddle: these networks' units are far on either
// side of it for every row. (Units that switch from row to row are compared with plain loops in bnn_test.cc.)
Matrix away_from_kinks(const Model& model, Index inputs, Index hidden) {
  Matrix points = random_matrix(4, model.dimension(), 77);
  points.leftCols(inputs * hidden) *= Real(0.5);
  for (Index h = 0; h < hidden; ++h) points.col(inputs * hidden + h).setConstant(h % 3 == 2 ? Real(-6) : Real(6));
  points.middleCols((inputs + 1) * hidden, hidden) *= Real(0.2);
  return points;
}

class ClassificationGradients : public testing::TestWithParam<std::shared_ptr<const ClassificationLoss>> {};

TEST_P(ClassificationGradients, LogisticRegression) {
  const Rows data = signed_rows(23, 5, 1);
  expect_exact_scores(LogisticRegression(5, {.loss = GetParam()}), data.batch());
  expect_exact_scores(
      LogisticRegression(5, {.prior_shape = 2.5, .prior_scale = 3, .intercept = true, .loss = GetParam()}),
      data.batch());
  using Prior = LogisticRegression::Prior;
  expect_exact_scores(LogisticRegression(5, {.prior = Prior::kNormal, .loss = GetParam()}), data.batch());
  expect_exact_scores(
      LogisticRegression(5, {.prior = Prior::kNormal, .prior_deviation = 0.7, .intercept = true, .loss = GetParam()}),
      data.batch());
}

TEST_P(ClassificationGradients, Network) {
  const Rows data = class_rows(11, 4, 3, 2);
  const BnnClassification three({.inputs = 4, .hidden = 6, .classes = 3, .loss = GetParam()});
  expect_exact_scores(three, data.batch(), away_from_kinks(three, 4, 6));
  const Rows binary = signed_rows(11, 4, 2);
  const BnnClassification two({.inputs = 4, .hidden = 6, .classes = 2, .labels = Labels::kSigned, .loss = GetParam()});
  expect_exact_scores(two, binary.batch(), away_from_kinks(two, 4, 6));
}

TEST_P(ClassificationGradients, SoftmaxRegression) {
  const Rows data = class_rows(23, 4, 3, 2);
  expect_exact_scores(SoftmaxRegression({.inputs = 4, .classes = 3, .loss = GetParam()}), data.batch());
  const SoftmaxRegression::Options bare{
      .inputs = 4, .classes = 3, .prior_deviation = 0.7, .intercept = false, .loss = GetParam()};
  expect_exact_scores(SoftmaxRegression(bare), data.batch());
}

INSTANTIATE_TEST_SUITE_P(Losses,
                         ClassificationGradients,
                         testing::Values(std::make_shared<CrossEntropy>(),
                                         std::make_shared<BetaDivergence>(0.5),
                                         std::make_shared<BetaDivergence>(2)));

class RegressionGradients : public testing::TestWithParam<std::shared_ptr<const RegressionLoss>> {};

TEST_P(RegressionGradients, Network) {
  const Rows data = target_rows(11, 4, 3);
  const BnnRegression model({.inputs = 4, .hidden = 6, .noise_shape = 2, .loss = GetParam()});
  expect_exact_scores(model, data.batch(), away_from_kinks(model, 4, 6));
  const BnnRegression by_layers({.inputs = 4, .hidden = 6, .prior_precision = 0, .loss = GetParam()});
  expect_exact_scores(by_layers, data.batch(), away_from_kinks(by_layers, 4, 6));
}

TEST_P(RegressionGradients, LinearRegression) {
  const Rows data = target_rows(23, 5, 3);
  expect_exact_scores(LinearRegression({.weights = {.inputs = 5}, .loss = GetParam()}), data.batch());
  expect_exact_scores(LinearRegression({.weights = {.inputs = 5, .prior_deviation = 0.4, .intercept = false},
                                        .noise_shape = 2,
                                        .noise_rate = 0.7,
                                        .loss = GetParam()}),
                      data.batch());
}

INSTANTIATE_TEST_SUITE_P(Losses,
                         RegressionGradients,
                         testing::Values(std::make_shared<GaussianLoss>(),
                                         std::make_shared<StudentLoss>(),
                                         std::make_shared<StudentLoss>(30)));

TEST(Gradients, CountRegressions) {
  const Rows data = count_rows(40, 4, 6);
  expect_exact_scores(PoissonRegression({.inputs = 4}), data.batch());
  expect_exact_scores(PoissonRegression({.inputs = 4, .prior_deviation = 0.3, .intercept = false}), data.batch());
  expect_exact_scores(NegativeBinomialRegression({.weights = {.inputs = 4}}), data.batch());
  expect_exact_scores(
      NegativeBinomialRegression(
          {.weights = {.inputs = 4, .intercept = false}, .dispersion_shape = 3, .dispersion_rate = 0.5}),
      data.batch());
}

// Where the likelihood is its tangent: the slope by the dispersion changes there too.
TEST(Gradients, CountRegressionsAboveTheGreatestLogRate) {
  const Rows data = count_rows(8, 2, 6);
  const NegativeBinomialRegression model({.weights = {.inputs = 2}});
  Matrix points = random_matrix(4, model.dimension(), 77);
  points.col(2).setConstant(30);
  expect_exact_scores(model, data.batch(), points);
}

TEST(Gradients, Mixtures) {
  for (const GaussianMixture& model :
       {toy_mixture_1d(ToyPrior::kUniform), toy_mixture_1d(ToyPrior::kNormal), toy_mixture_2d()}) {
    const Matrix rows = model.factor_rows();
    const Vector y = Vector::Zero(rows.rows());
    expect_exact_scores(model, {rows, y});
  }
}

TEST(Gradients, ConjugateGaussian) {
  DoubleMatrix noise(2, 2);
  noise << 2, 0.3, 0.3, 0.5;
  const ConjugateGaussian model({DoubleVector::Constant(2, 1), 3 * DoubleMatrix::Identity(2, 2)}, noise);
  expect_exact_scores(model, target_rows(7, 2, 4).batch());
}

TEST(Gradients, TheCheckWouldSeeAWrongScore) {
  const Rows data = signed_rows(23, 5, 1);
  const LogisticRegression right(5);
  const LogisticRegression wrong(5, {.loss = std::make_shared<BetaDivergence>(0.5)});
  EXPECT_FALSE(check_gradient([&](const ConstMatrixRef& theta) { return right.log_likelihood(theta, data.batch()); },
                              FullLikelihood(wrong, data.batch()),
                              random_matrix(4, 6, 5)));
}

}  // namespace
}  // namespace fedstein
