// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/linear_prior.h"

#include <cmath>
#include <numbers>

namespace fedstein {

double LogGamma::draw(Rng& rng) const {
  return std::log(rng.gamma(shape, 1 / rate));
}

double LogGamma::log_density(double log_value) const {
  return shape * std::log(rate) - std::lgamma(shape) + shape * log_value - rate * std::exp(log_value);
}

double LogGamma::slope(double log_value) const {
  return shape - rate * std::exp(log_value);
}

double LogGamma::bend(double log_value) const {
  return -rate * std::exp(log_value);
}

LinearPrior::LinearPrior(const RowVector& deviations)
    : deviations_(deviations), precisions_(deviations.array().square().inverse().matrix()) {}

LinearPrior::LinearPrior(const RowVector& deviations, const LogGamma& positive) : LinearPrior(deviations) {
  positive_ = positive;
}

void LinearPrior::draw(Rng& rng, MatrixRef particles) const {
  auto w = particles.leftCols(weights());
  rng.fill_normal(w);
  w.array().rowwise() *= deviations_.array();
  if (!positive_) return;
  for (Index n = 0; n < particles.rows(); ++n) particles(n, weights()) = static_cast<Real>(positive_->draw(rng));
}

DoubleVector LinearPrior::log_density(const ConstMatrixRef& theta) const {
  const double constant = -0.5 * static_cast<double>(weights()) * std::log(2 * std::numbers::pi) -
                          deviations_.cast<double>().array().log().sum();
  DoubleVector result(theta.rows());
  for (Index n = 0; n < theta.rows(); ++n) {
    const auto w = theta.row(n).head(weights()).cast<double>().array();
    result(n) = constant - 0.5 * (w.square() * precisions_.cast<double>().array()).sum();
    if (positive_) result(n) += positive_->log_density(static_cast<double>(theta(n, weights())));
  }
  return result;
}

void LinearPrior::add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  const auto factor = static_cast<Real>(weight);
  for (Index n = 0; n < theta.rows(); ++n) {
    grad.row(n).head(weights()).array() -= factor * precisions_.array() * theta.row(n).head(weights()).array();
    if (!positive_) continue;
    grad(n, weights()) += static_cast<Real>(weight * positive_->slope(static_cast<double>(theta(n, weights()))));
  }
}

void LinearPrior::add_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  curvature.leftCols(weights()).rowwise() -= static_cast<Real>(weight) * precisions_;
  if (!positive_) return;
  for (Index n = 0; n < theta.rows(); ++n) {
    curvature(n, weights()) += static_cast<Real>(weight * positive_->bend(static_cast<double>(theta(n, weights()))));
  }
}

}  // namespace fedstein
