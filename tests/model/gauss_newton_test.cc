// SPDX-License-Identifier: Apache-2.0
// Fisher's diagonals, formed layer by layer, against their definition: for every row the mean square of its score over
// the labels that the model itself expects. gradients_test.cc has checked the scores by differences.
#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/log_density_model.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "fedstein/model/softmax_regression.h"
#include "model/linear_data.h"
#include "support/close.h"

namespace fedstein {
namespace {

Matrix gauss_newton(const Model& model, const Matrix& theta, const Batch& batch, double weight) {
  Matrix out = Matrix::Zero(theta.rows(), theta.cols());
  model.gauss_newton()->add_gauss_newton(theta, batch, weight, out);
  return out;
}

// Squares of one row's score, times the probability of its label.
Matrix expected(const Model& model, const Matrix& theta, const Matrix& row, Real label, double probability) {
  const Vector y = Vector::Constant(1, label);
  return static_cast<Real>(probability) * likelihood_score(model, theta, {row, y}).cwiseAbs2();
}

void expect_fisher_of_classes(const Classifier& model, const Rows& data) {
  const Matrix theta = random_matrix(3, model.dimension(), 5);
  Matrix wanted = Matrix::Zero(theta.rows(), theta.cols());
  for (Index n = 0; n < theta.rows(); ++n) {
    const Matrix one = theta.row(n);
    const Matrix p = model.predict(one, data.x).probabilities;
    for (Index i = 0; i < data.x.rows(); ++i) {
      for (Index c = 0; c < p.cols(); ++c) {
        wanted.row(n) += expected(model, one, data.x.row(i), model.label_of(c), static_cast<double>(p(i, c)));
      }
    }
  }
  EXPECT_TRUE(close(gauss_newton(model, theta, data.batch(), 0.5), 0.5_r * wanted, kValueTolerance));
}

TEST(GaussNewton, OfLogisticRegression) {
  expect_fisher_of_classes(LogisticRegression(4, {.intercept = true}), signed_rows(1100, 4, 1));  // two chunks
  const LogisticRegression normal(4, {.prior = LogisticRegression::Prior::kNormal, .intercept = true});
  expect_fisher_of_classes(normal, signed_rows(1100, 4, 1));
}

TEST(GaussNewton, OfNetworksForClasses) {
  expect_fisher_of_classes(BnnClassification({.inputs = 3, .hidden = 5, .classes = 4}), class_rows(600, 3, 4, 2));
}

TEST(GaussNewton, OfSoftmaxRegression) {
  expect_fisher_of_classes(SoftmaxRegression({.inputs = 3, .classes = 4}), class_rows(600, 3, 4, 2));
  expect_fisher_of_classes(SoftmaxRegression({.inputs = 9, .classes = 3, .intercept = false}),
                           class_rows(100, 9, 3, 3));
}

// Three Gauss-Hermite nodes give the mean of a polynomial of degree 4 in the noise exactly.
void expect_fisher_of_targets(const Regressor& model) {
  const Rows data = target_rows(600, 3, 4);
  const Matrix theta = random_matrix(2, model.dimension(), 6);
  Matrix wanted = Matrix::Zero(theta.rows(), theta.cols());
  for (Index n = 0; n < theta.rows(); ++n) {
    const Matrix one = theta.row(n);
    const Prediction at = model.predict(one, data.x);
    for (Index i = 0; i < data.x.rows(); ++i) {
      const double far = std::sqrt(3 * at.aleatoric_variance(i));
      for (const auto& [shift, weight] : {std::pair(-far, 1 / 6.0), std::pair(0.0, 2 / 3.0), std::pair(far, 1 / 6.0)}) {
        wanted.row(n) += expected(model, one, data.x.row(i), static_cast<Real>(at.mean(i) + shift), weight);
      }
    }
  }
  EXPECT_TRUE(close(gauss_newton(model, theta, data.batch(), 2), 2 * wanted, kGradientTolerance));
}

TEST(GaussNewton, OfRegressions) {
  expect_fisher_of_targets(BnnRegression({.inputs = 3, .hidden = 5}));
  expect_fisher_of_targets(LinearRegression({.weights = {.inputs = 3}}));
  expect_fisher_of_targets(LinearRegression({.weights = {.inputs = 3, .intercept = false}}));
}

// Over every count that has a probability.
Matrix fisher_of_counts(const CountRegression& model, const Matrix& theta, const Rows& data) {
  Matrix wanted = Matrix::Zero(theta.rows(), theta.cols());
  for (Index n = 0; n < theta.rows(); ++n) {
    const Matrix one = theta.row(n);
    for (Index i = 0; i < data.x.rows(); ++i) {
      const Matrix row = data.x.row(i);
      for (Real count = 0; count < 2000; ++count) {
        const Vector y = Vector::Constant(1, count);
        wanted.row(n) += expected(model, one, row, count, std::exp(model.log_likelihood(one, {row, y})(0)));
      }
    }
  }
  return wanted;
}

TEST(GaussNewton, OfCountsIsFishersForTheWeights) {
  const Rows data = count_rows(60, 3, 8);
  const PoissonRegression poisson({.inputs = 3});
  const Matrix of_poisson = random_matrix(2, 4, 9, 0, 0.4);
  EXPECT_TRUE(close(gauss_newton(poisson, of_poisson, data.batch(), 0.5),
                    0.5_r * fisher_of_counts(poisson, of_poisson, data),
                    kGradientTolerance));
  const NegativeBinomialRegression model({.weights = {.inputs = 3}});
  const Matrix theta = random_matrix(2, 5, 9, 0, 0.4);
  EXPECT_TRUE(close(gauss_newton(model, theta, data.batch(), 2).leftCols(4),
                    2 * fisher_of_counts(model, theta, data).leftCols(4),
                    kGradientTolerance));
}

// Of log alpha the exact curvature of all rows, where it is more than what the moments tell, and that is less than
// Fisher's.
TEST(GaussNewton, OfADispersionIsTheExactCurvatureOrWhatMomentsTell) {
  const NegativeBinomialRegression model({.weights = {.inputs = 1}});
  const Rows counts = count_rows(300, 1, 8);
  const Rows none{counts.x, Vector::Zero(300)};
  Matrix theta = Matrix::Zero(1, 3);
  theta(0, 1) = 1.5_r;
  const Real h = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-4_r : 1e-2_r;
  const auto slope = [&](Real psi, const Rows& data) {
    theta(0, 2) = psi;
    return static_cast<double>(likelihood_score(model, theta, data.batch())(0, 2));
  };
  for (const Real psi : {-1.0_r, 0.0_r, 0.8_r}) {
    const double exact = (slope(psi - h, counts) - slope(psi + h, counts)) / (2 * static_cast<double>(h));
    ASSERT_GT(exact, 0);
    theta(0, 2) = psi;
    EXPECT_NEAR(gauss_newton(model, theta, counts.batch(), 1)(0, 2) / exact, 1, 0.02);
  }
  // No count anywhere although 4.5 are expected: curved the wrong way at a small dispersion.
  EXPECT_LT((slope(-2 - h, none) - slope(-2 + h, none)), 0);
  theta(0, 2) = -2;
  const double moments = gauss_newton(model, theta, none.batch(), 1)(0, 2);
  EXPECT_GT(moments, 0.1);
  EXPECT_LE(moments, static_cast<double>(fisher_of_counts(model, theta, none)(0, 2)));
}

TEST(GaussNewton, IsWhatIsPositiveOfAKnownCurvature) {
  const GaussianMixture model = toy_mixture_2d();
  const Matrix x = model.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  const Matrix theta = random_matrix(20, model.dimension(), 7);
  Matrix exact = Matrix::Zero(theta.rows(), theta.cols());
  model.curvature()->add_likelihood_curvature(theta, {x, y}, 1, exact);
  ASSERT_GT(exact.maxCoeff(), 0) << "some of it must be negative curvature, or this tests nothing";
  EXPECT_TRUE(close(gauss_newton(model, theta, {x, y}, 1), (-exact).cwiseMax(Real{0}), kValueTolerance));
}

TEST(GaussNewton, IsNotThereWhereItIsNotKnown) {
  const LogDensityModel model({.dimension = 1,
                               .inputs = 1,
                               .log_likelihood = [](const auto&, const auto&, Real) { return 0.0; },
                               .add_score = [](const auto&, const auto&, Real, Real, RowRef) {}});
  EXPECT_EQ(model.gauss_newton(), nullptr);
  EXPECT_EQ(model.curvature(), nullptr);
}

}  // namespace
}  // namespace fedstein
