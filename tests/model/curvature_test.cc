// SPDX-License-Identifier: Apache-2.0
// Second derivatives against differences of the scores, which gradients_test.cc has checked.
#include <gtest/gtest.h>

#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "model/linear_data.h"
#include "support/close.h"

namespace fedstein {
namespace {

template <typename AddScore>
Matrix differences(const Matrix& points, const AddScore& add_score) {
  const Real h = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-5_r : 1e-2_r;
  Matrix out(points.rows(), points.cols());
  for (Index k = 0; k < points.cols(); ++k) {
    Matrix above = points, below = points;
    above.col(k).array() += h;
    below.col(k).array() -= h;
    Matrix high = Matrix::Zero(points.rows(), points.cols()), low = high;
    add_score(above, high);
    add_score(below, low);
    out.col(k) = (high.col(k) - low.col(k)) / (2 * h);
  }
  return out;
}

void expect_curvature(const Model& model, const Batch& batch) {
  const Curvature* curvature = model.curvature();
  ASSERT_NE(curvature, nullptr);
  const Matrix points = random_matrix(5, model.dimension(), 3);
  Matrix prior = Matrix::Zero(points.rows(), points.cols());
  curvature->add_prior_curvature(points, 1.5, prior);
  EXPECT_TRUE(
      close(prior,
            differences(points, [&](const Matrix& theta, Matrix& grad) { model.add_prior_score(theta, 1.5, grad); }),
            kGradientTolerance));
  Matrix likelihood = Matrix::Zero(points.rows(), points.cols());
  curvature->add_likelihood_curvature(points, batch, 0.5, likelihood);
  EXPECT_TRUE(close(
      likelihood,
      differences(points,
                  [&](const Matrix& theta, Matrix& grad) { model.add_likelihood_score(theta, batch, 0.5, grad); }),
      kGradientTolerance));
}

TEST(Curvature, OfLogisticRegression) {
  const Rows data = signed_rows(2100, 4, 1);  // three chunks
  expect_curvature(LogisticRegression(4, {.prior_shape = 2, .prior_scale = 3}), data.batch());
  expect_curvature(LogisticRegression(4, {.prior_scale = 1, .intercept = true}), data.batch());
  const LogisticRegression normal(4, {.prior = LogisticRegression::Prior::kNormal, .intercept = true});
  expect_curvature(normal, data.batch());
}

TEST(Curvature, OfTheOtherModelsThatAreLinear) {
  expect_curvature(LinearRegression({.weights = {.inputs = 4}}), target_rows(700, 4, 2).batch());
  expect_curvature(LinearRegression({.weights = {.inputs = 4, .intercept = false}, .noise_rate = 2}),
                   target_rows(70, 4, 2).batch());
  expect_curvature(SoftmaxRegression({.inputs = 4, .classes = 3}), class_rows(700, 4, 3, 3).batch());
  expect_curvature(PoissonRegression({.inputs = 4}), count_rows(700, 4, 4).batch());
  EXPECT_EQ(LinearRegression({.weights = {.inputs = 4}, .loss = std::make_shared<StudentLoss>()}).curvature(), nullptr);
}

TEST(Curvature, OfTheConjugateGaussian) {
  DoubleMatrix noise(2, 2);
  noise << 2, 0.5, 0.5, 1;
  const Matrix x = random_matrix(6, 2, 4);
  const Vector y = Vector::Zero(6);
  expect_curvature(ConjugateGaussian({DoubleVector::Zero(2), DoubleMatrix::Identity(2, 2)}, noise), {x, y});
}

TEST(Curvature, OfMixtures) {
  const GaussianMixture model = toy_mixture_2d();
  const Matrix x = model.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  expect_curvature(model, {x, y});
}

TEST(Curvature, IsNotThereWhereItIsNotKnown) {
  EXPECT_EQ(BnnRegression({.inputs = 2, .hidden = 3}).curvature(), nullptr);
  const LogisticRegression robust(2, {.loss = std::make_shared<BetaDivergence>(0.5)});
  EXPECT_EQ(robust.curvature(), nullptr);
  EXPECT_NE(robust.gauss_newton(), nullptr) << "the expected curvature of the labels does not depend on the loss";
}

// What a loss is counts, not which object it is.
TEST(Curvature, IsThatOfAnyCrossEntropy) {
  const Rows data = signed_rows(30, 2, 1);
  const LogisticRegression standard(2);
  const LogisticRegression own(2, {.loss = std::make_shared<CrossEntropy>()});
  ASSERT_NE(own.curvature(), nullptr);
  expect_curvature(own, data.batch());
  const Matrix theta = random_matrix(4, 3, 2);
  EXPECT_TRUE(identical(likelihood_score(own, theta, data.batch()), likelihood_score(standard, theta, data.batch())));
}

}  // namespace
}  // namespace fedstein
