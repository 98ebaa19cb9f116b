// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/bnn_regression.h"

#include <algorithm>
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/particle_pieces.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "BnnRegression";
// A network that fits its few rows exactly would start with infinite precision.
constexpr double kSmallestError = 1e-6;

}  // namespace

BnnRegression::BnnRegression(const Options& options)
    : Regressor(kName, options.inputs, options.loss),
      net_(kName, options.inputs, options.hidden, 1, options.activation),
      prior_(kName, net_, options.prior_precision),
      options_(options) {
  check_positive(kName, "noise_shape", options.noise_shape);
  check_positive(kName, "noise_rate", options.noise_rate);
}

void BnnRegression::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  for (Index n = 0; n < particles.rows(); ++n) {
    net_.draw(rng, particles.row(n).head(net_.size()));
    particles(n, net_.size()) = static_cast<Real>(std::log(rng.gamma(options_.noise_shape, 1 / options_.noise_rate)));
  }
}

void BnnRegression::fit_start(const Batch& batch, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  check_data(batch);
  if (batch.rows() == 0) return;
  const DoubleVector squares = sum_over_rows(particles.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    outputs(particles.row(n), batch.x.middleRows(begin, count), values);
    return (batch.y.segment(begin, count) - values).cast<double>().squaredNorm();
  });
  for (Index n = 0; n < particles.rows(); ++n) {
    const double error = std::max(kSmallestError, squares(n) / static_cast<double>(batch.rows()));
    particles(n, net_.size()) = static_cast<Real>(-std::log(error));
  }
}

DoubleVector BnnRegression::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  const double a = options_.noise_shape;
  const double rate = options_.noise_rate;
  const double constant = a * std::log(rate) - std::lgamma(a);
  DoubleVector result = prior_.log_density(theta);
  for (Index n = 0; n < theta.rows(); ++n) {
    const double log_gamma = log_precision(theta.row(n));
    result(n) += constant + a * log_gamma - rate * std::exp(log_gamma);
  }
  return result;
}

void BnnRegression::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  const Index last = net_.size();
  prior_.add_score(theta, weight, grad);
  for (Index n = 0; n < theta.rows(); ++n) {
    const double gamma = std::exp(log_precision(theta.row(n)));
    grad(n, last) += static_cast<Real>(weight * (options_.noise_shape - options_.noise_rate * gamma));
  }
}

void BnnRegression::outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const {
  Scratch active(x.rows(), net_.units());
  net_.forward(theta, x, *active, Eigen::Map<Matrix>(out.data(), 1, out.size()));
}

void BnnRegression::add_likelihood_score(const ConstMatrixRef& theta,
                                         const Batch& batch,
                                         double weight,
                                         MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch_shape(kName, batch, inputs());
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 3 * net_.cost(), grad, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    Scratch active(count, net_.units());
    Scratch pull(1, count);
    Eigen::Map<Vector> residuals(pull->data(), count);
    net_.forward(theta.row(n), x, *active, *pull);
    residuals = batch.y.segment(first, count) - residuals;
    const double noise_slope = loss().differentiate(log_precision(theta.row(n)), residuals);
    out(net_.size()) -= static_cast<Real>(weight * noise_slope);
    residuals *= static_cast<Real>(weight);  // d residual / d f = -1 turns minus the loss's slope around
    net_.backward(theta.row(n), x, *active, *pull, out);
  });
}

// C is the noise's precision gamma; log gamma itself has 1/2 per row.
void BnnRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                     const Batch& batch,
                                     double weight,
                                     MatrixRef diagonal) const {
  check_score_arguments(kName, theta, dimension(), weight, diagonal);
  check_batch_shape(kName, batch, inputs());
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 3 * net_.cost(), diagonal, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    Scratch active(count, net_.units());
    Scratch outer(1, count);
    Scratch inner(count, net_.last_units());
    net_.forward(theta.row(n), x, *active, *outer);
    const auto gamma = static_cast<Real>(weight * std::exp(log_precision(theta.row(n))));
    outer->setConstant(gamma);
    const RowVector squares = gamma * net_.outer_weights(theta.row(n)).transpose().cwiseAbs2();
    inner->rowwise() = squares;
    const auto root = [](Index, MatrixRef r) { r.setOnes(); };
    net_.add_gauss_newton(theta.row(n), x, *active, {*outer, *inner, gamma, 1, root}, out);
    out(net_.size()) += static_cast<Real>(weight * 0.5 * static_cast<double>(count));
  });
}

void BnnRegression::answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  Scratch active(x.rows(), net_.units());
  net_.forward(theta, x, *active, out);
}

void BnnRegression::add_pull(const ConstRowRef& theta,
                             const ConstMatrixRef& x,
                             const ConstMatrixRef& pull,
                             RowRef grad) const {
  Scratch active(x.rows(), net_.units());
  Scratch out(1, x.rows());
  net_.forward(theta, x, *active, *out);
  net_.backward(theta, x, *active, pull, grad);
}

}  // namespace fedstein
