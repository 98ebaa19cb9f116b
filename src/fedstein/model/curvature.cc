// SPDX-License-Identifier: Apache-2.0
// Second derivatives of the models that know theirs: the diagonals of their Hessians.
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

[[noreturn]] void refuse_curvature() {
  refuse("curvature", "this model's second derivatives are not known; ask has_curvature() first");
}

// curvature.row(n) -= weight * diagonal of the precision
void subtract_precision(const GaussianDensity& density, double weight, RowRef curvature) {
  for (Index k = 0; k < curvature.size(); ++k) {
    curvature(k) -= static_cast<Real>(weight * density.precision()(k, k));
  }
}

}  // namespace

void Model::add_prior_curvature(const ConstMatrixRef&, double, MatrixRef) const {
  refuse_curvature();
}

void Model::add_likelihood_curvature(const ConstMatrixRef&, const Batch&, double, MatrixRef) const {
  refuse_curvature();
}

// ---- conjugate Gaussian: constants

void ConjugateGaussian::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments("ConjugateGaussian", theta, dimension(), weight, curvature);
  for (Index n = 0; n < theta.rows(); ++n) subtract_precision(prior_, weight, curvature.row(n));
}

void ConjugateGaussian::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                 const Batch& batch,
                                                 double weight,
                                                 MatrixRef curvature) const {
  check_score_arguments("ConjugateGaussian", theta, dimension(), weight, curvature);
  check_batch_shape("ConjugateGaussian", batch, dimension());
  const double total = weight * static_cast<double>(batch.rows());
  for (Index n = 0; n < theta.rows(); ++n) subtract_precision(noise_, total, curvature.row(n));
}

// ---- mixtures: with shares r_c and component scores s_c,  sum_c r_c (s_c^2 - P_c) - (sum_c r_c s_c)^2

void GaussianMixture::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments("GaussianMixture", theta, dimension_, weight, curvature);
  const auto* gaussian = std::get_if<GaussianDensity>(&prior_);
  if (gaussian == nullptr) return;
  for (Index n = 0; n < theta.rows(); ++n) subtract_precision(*gaussian, weight, curvature.row(n));
}

void GaussianMixture::add_likelihood_curvature(const ConstMatrixRef& theta,
                                               const Batch& batch,
                                               double weight,
                                               MatrixRef curvature) const {
  check_score_arguments("GaussianMixture", theta, dimension_, weight, curvature);
  check_data(batch);
  DoubleVector gap(dimension_), score(dimension_), mean(dimension_), second(dimension_);
  for (Index i = 0; i < batch.rows(); ++i) {
    const Components& factor = factor_of(batch.x, i);
    for (Index n = 0; n < theta.rows(); ++n) {
      const double total = log_density(factor, theta.row(n));
      mean.setZero();
      second.setZero();
      for (const Component& component : factor) {
        const GaussianDensity& density = component.density;
        const double share = std::exp(component.log_weight + density.log_density(theta.row(n)) - total);
        gap = density.mean() - theta.row(n).transpose().cast<double>();
        score.noalias() = density.precision() * gap;
        mean += share * score;
        second.array() += share * (score.array().square() - density.precision().diagonal().array());
      }
      for (Index k = 0; k < dimension_; ++k) {
        curvature(n, k) += static_cast<Real>(weight * (second(k) - mean(k) * mean(k)));
      }
    }
  }
}

// ---- logistic regression

void LogisticRegression::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments("LogisticRegression", theta, dimension(), weight, curvature);
  for (Index n = 0; n < theta.rows(); ++n) {
    const double xi = std::exp(static_cast<double>(theta(n, weights())));
    const double squares = theta.row(n).head(weights()).cast<double>().squaredNorm();
    curvature.row(n).head(weights()).array() -= static_cast<Real>(weight * xi);
    curvature(n, weights()) -= static_cast<Real>(weight * xi * (squares / 2 + 1 / options_.prior_scale));
  }
}

// For the cross-entropy the expected curvature is the exact one.
void LogisticRegression::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                  const Batch& batch,
                                                  double weight,
                                                  MatrixRef curvature) const {
  if (!has_curvature()) refuse_curvature();
  add_gauss_newton(theta, batch, -weight, curvature);
}

}  // namespace fedstein
