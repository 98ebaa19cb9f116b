// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/linear_regression.h"

#include <algorithm>
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/linear_predictor.h"
#include "fedstein/model/linear_prior.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kName = "LinearRegression";
// Weights that fit their few rows exactly would start with infinite precision. In units of the target's mean square.
constexpr double kSmallestError = 1e-6;

std::shared_ptr<const LinearPrior> make_prior(const LinearRegression::Options& options) {
  check_weights(kName, options.weights);
  check_positive(kName, "noise_shape", options.noise_shape);
  check_positive(kName, "noise_rate", options.noise_rate);
  return std::make_shared<LinearPrior>(deviations_of(options.weights),
                                       LogGamma{options.noise_shape, options.noise_rate});
}

}  // namespace

LinearRegression::LinearRegression(const Options& options)
    : Regressor(kName, options.weights.inputs, options.loss),
      options_(options),
      prior_(make_prior(options)),
      is_gaussian_(dynamic_cast<const GaussianLoss*>(options.loss.get()) != nullptr),
      coefficients_({.inputs = options.weights.inputs,
                     .intercept = options.weights.intercept,
                     .others = {{.name = "noise deviation",
                                 .parameter = options.weights.count(),
                                 .factor = -0.5,  // of log gamma
                                 .has_target_unit = true}}}) {}

void LinearRegression::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  prior_->draw(rng, particles);
}

DoubleVector LinearRegression::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  return prior_->log_density(theta);
}

void LinearRegression::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  prior_->add_score(theta, weight, grad);
}

void LinearRegression::fit_start(const Batch& batch, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  check_data(batch);
  if (batch.rows() == 0) return;
  const auto rows = static_cast<double>(batch.rows());
  const auto mean_of = [&](auto&& of_residuals) {
    return sum_over_rows(particles.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
      Scratch scratch(count, 1);
      Eigen::Map<Vector> values(scratch->data(), count);
      residuals(particles.row(n), batch.middle_rows(begin, count), values);
      return of_residuals(values.cast<double>().array()) / rows;
    });
  };
  if (has_intercept()) {
    const DoubleVector means = mean_of([](const auto& r) { return r.sum(); });
    for (Index n = 0; n < particles.rows(); ++n) {
      particles(n, inputs()) = static_cast<Real>(static_cast<double>(particles(n, inputs())) + means(n));
    }
  }
  const DoubleVector squares = mean_of([](const auto& r) { return r.square().sum(); });
  const double size = batch.y.cast<double>().squaredNorm() / rows;
  for (Index n = 0; n < particles.rows(); ++n) {
    const double error = std::max(squares(n), kSmallestError * (size > 0 ? size : 1));
    particles(n, count()) = static_cast<Real>(-std::log(error));
  }
}

void LinearRegression::outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const {
  out.noalias() = x * theta.head(inputs()).transpose();
}

double LinearRegression::offset(const ConstRowRef& theta) const {
  return has_intercept() ? static_cast<double>(theta(inputs())) : 0;
}

void LinearRegression::add_rows(const ConstMatrixRef& theta, const Batch& batch, Real weight, MatrixRef grad) const {
  Scratch pulls(theta.rows(), batch.rows());
  linear_predictors(theta.leftCols(inputs()), batch.x, *pulls);
  for (Index n = 0; n < theta.rows(); ++n) {
    Eigen::Map<Vector> values(pulls->row(n).data(), batch.rows());
    values = (batch.y.array() - static_cast<Real>(offset(theta.row(n)))).matrix() - values;
    const double noise_slope = loss().differentiate(log_precision(theta.row(n)), values);
    grad(n, count()) -= static_cast<Real>(static_cast<double>(weight) * noise_slope);
  }
  *pulls *= weight;  // d residual / d w = -x turns minus the loss's slope around
  add_linear_pulls(*pulls, batch.x, grad.leftCols(inputs()));
  if (has_intercept()) add_pull_sums(*pulls, grad.middleCols(inputs(), 1));
}

void LinearRegression::add_likelihood_score(const ConstMatrixRef& theta,
                                            const Batch& batch,
                                            double weight,
                                            MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch_shape(kName, batch, inputs());
  add_in_linear_chunks(
      batch.rows(), weight, dimension(), grad, [&](Index begin, Index count, Real factor, MatrixRef sum) {
        add_rows(theta, batch.middle_rows(begin, count), factor, sum);
      });
}

}  // namespace fedstein
