// SPDX-License-Identifier: Apache-2.0
// Second derivatives of linear regression, and how its answers follow its weights.
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/linear_prior.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "LinearRegression";

}  // namespace

void LinearRegression::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension(), weight, curvature);
  prior_->add_curvature(theta, weight, curvature);
}

// The columns of the weights: + weight gamma sum_i x_i^2, gamma that of the particle.
void LinearRegression::add_squares(const ConstMatrixRef& theta,
                                   const Batch& batch,
                                   double weight,
                                   MatrixRef diagonal) const {
  check_score_arguments(kName, theta, dimension(), weight, diagonal);
  check_batch_shape(kName, batch, inputs());
  const auto rows = static_cast<double>(batch.rows());
  for (Index k = 0; k < count(); ++k) {
    const double squares = k == inputs() ? rows : batch.x.col(k).cast<double>().squaredNorm();
    for (Index n = 0; n < theta.rows(); ++n) {
      diagonal(n, k) += static_cast<Real>(weight * std::exp(log_precision(theta.row(n))) * squares);
    }
  }
}

// log gamma: -1/2 gamma sum_i r_i^2.
void LinearRegression::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                const Batch& batch,
                                                double weight,
                                                MatrixRef curvature) const {
  add_squares(theta, batch, -weight, curvature);
  for (Index n = 0; n < theta.rows(); ++n) {
    double squares = 0;
    for (Index begin = 0; begin < batch.rows(); begin += kEvaluationRows) {
      const Index count = std::min(kEvaluationRows, batch.rows() - begin);
      Scratch scratch(count, 1);
      Eigen::Map<Vector> values(scratch->data(), count);
      residuals(theta.row(n), batch.middle_rows(begin, count), values);
      squares += values.cast<double>().squaredNorm();
    }
    curvature(n, count()) -= static_cast<Real>(weight * 0.5 * std::exp(log_precision(theta.row(n))) * squares);
  }
}

// Fisher's of the Gaussian loss: log gamma has 1/2 a row.
void LinearRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                        const Batch& batch,
                                        double weight,
                                        MatrixRef diagonal) const {
  add_squares(theta, batch, weight, diagonal);
  diagonal.col(count()).array() += static_cast<Real>(weight * 0.5 * static_cast<double>(batch.rows()));
}

void LinearRegression::answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  out.row(0).transpose().noalias() = x * theta.head(inputs()).transpose();
  if (has_intercept()) out.row(0).array() += theta(inputs());
}

void LinearRegression::add_pull(const ConstRowRef& /*theta*/,
                                const ConstMatrixRef& x,
                                const ConstMatrixRef& pull,
                                RowRef grad) const {
  grad.head(inputs()).noalias() += pull.row(0) * x;
  if (has_intercept()) grad(inputs()) += pull.row(0).sum();
}

}  // namespace fedstein
