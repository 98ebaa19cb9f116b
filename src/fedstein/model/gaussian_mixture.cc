// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/gaussian_mixture.h"

#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "fedstein/model/checks.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/log_sum_exp.h"

namespace fedstein {
namespace {

constexpr const char* kName = "GaussianMixture";

std::variant<GaussianDensity, Support> ready(const GaussianMixture::Prior& prior) {
  if (const auto* gaussian = std::get_if<Gaussian>(&prior)) return GaussianDensity(*gaussian);
  check_support(kName, std::get<Support>(prior));
  return std::get<Support>(prior);
}

Index dimension_of(const std::variant<GaussianDensity, Support>& prior) {
  if (const auto* gaussian = std::get_if<GaussianDensity>(&prior)) return gaussian->dimension();
  return std::get<Support>(prior).low.size();
}

}  // namespace

Matrix factor_rows(Index count) {
  Matrix rows(count, 1);
  for (Index f = 0; f < count; ++f) rows(f, 0) = static_cast<Real>(f);
  return rows;
}

GaussianMixture::GaussianMixture(const Prior& prior, const std::vector<Factor>& factors)
    : dimension_(0), prior_(ready(prior)) {
  dimension_ = dimension_of(prior_);
  check_argument(!factors.empty(), kName, "there are no factors; at least 1 is needed");
  for (const Factor& factor : factors) {
    check_argument(!factor.empty(), kName, "a factor has no components; it needs at least 1");
    Components components;
    for (const MixtureComponent& component : factor) {
      check_positive(kName, "the weight of a component", component.weight);
      check_gaussian(kName, component.gaussian, dimension_);
      components.push_back({std::log(component.weight), GaussianDensity(component.gaussian)});
    }
    factors_.push_back(std::move(components));
  }
}

void GaussianMixture::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension_);
  for (Index n = 0; n < particles.rows(); ++n) {
    if (const auto* gaussian = std::get_if<GaussianDensity>(&prior_)) {
      gaussian->draw(rng, particles.row(n));
      continue;
    }
    for (Index k = 0; k < dimension_; ++k) {
      particles(n, k) = static_cast<Real>(rng.uniform(support()->low(k), support()->high(k)));
    }
  }
  if (support() != nullptr) support()->reflect(particles);  // a draw next to a bound may have been rounded across it
}

DoubleVector GaussianMixture::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension_);
  DoubleVector result(theta.rows());
  for (Index n = 0; n < theta.rows(); ++n) {
    if (const auto* gaussian = std::get_if<GaussianDensity>(&prior_)) {
      result(n) = gaussian->log_density(theta.row(n));
    } else {
      result(n) = support()->contains(theta.row(n)) ? -(support()->high - support()->low).array().log().sum()
                                                    : -std::numeric_limits<double>::infinity();
    }
  }
  return result;
}

void GaussianMixture::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension_, weight, grad);
  const auto* gaussian = std::get_if<GaussianDensity>(&prior_);
  if (gaussian == nullptr) return;
  for (Index n = 0; n < theta.rows(); ++n) gaussian->add_score(theta.row(n), weight, grad.row(n));
}

const GaussianMixture::Components& GaussianMixture::factor_of(const Batch& batch, Index row) const {
  return factors_[static_cast<std::size_t>(batch.x(row, 0))];
}

void GaussianMixture::check_data(const Batch& batch) const {
  check_batch_shape(kName, batch, 1);
  for (Index i = 0; i < batch.rows(); ++i) {
    const auto index = static_cast<double>(batch.x(i, 0));
    if (index >= 0 && index < static_cast<double>(factors()) && index == std::floor(index)) continue;
    check_argument(false,
                   kName,
                   "the factor index of row " + std::to_string(i) + " is " + to_text(index) +
                       "; it must be a whole number from 0 to " + std::to_string(factors() - 1));
  }
}

double GaussianMixture::log_density(const Components& factor, const ConstRowRef& theta) {
  if (factor.size() == 1) return factor[0].log_weight + factor[0].density.log_density(theta);
  // The running form of log_sum_exp: no list of the components' values is kept.
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const Component& component : factor) {
    const double value = component.log_weight + component.density.log_density(theta);
    if (value > largest) {
      sum = sum * std::exp(largest - value) + 1;
      largest = value;
    } else {
      sum += std::exp(value - largest);
    }
  }
  return largest + std::log(sum);
}

DoubleVector GaussianMixture::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension_);
  check_data(batch);
  DoubleVector result = DoubleVector::Zero(theta.rows());
  for (Index i = 0; i < batch.rows(); ++i) {
    for (Index n = 0; n < theta.rows(); ++n) result(n) += log_density(factor_of(batch, i), theta.row(n));
  }
  return result;
}

void GaussianMixture::add_likelihood_score(const ConstMatrixRef& theta,
                                           const Batch& batch,
                                           double weight,
                                           MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension_, weight, grad);
  check_data(batch);
  for (Index i = 0; i < batch.rows(); ++i) {
    const Components& factor = factor_of(batch, i);
    for (Index n = 0; n < theta.rows(); ++n) {
      const double total = log_density(factor, theta.row(n));
      for (const Component& component : factor) {
        // The component's share of the mixture at theta; 1 where it stands alone.
        const double share = std::exp(component.log_weight + component.density.log_density(theta.row(n)) - total);
        component.density.add_score(theta.row(n), weight * share, grad.row(n));
      }
    }
  }
}

DoubleVector GaussianMixture::log_posterior(const ConstMatrixRef& theta, double temperature) const {
  const Matrix rows = factor_rows();
  const Vector ignored = Vector::Zero(rows.rows());
  return fedstein::log_posterior(*this, theta, {rows, ignored}, temperature);
}

DoubleVector GaussianMixture::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension_);
  check_data(batch);
  std::vector<double> values(static_cast<std::size_t>(theta.rows()));
  DoubleVector result(batch.rows());
  for (Index i = 0; i < batch.rows(); ++i) {
    for (Index n = 0; n < theta.rows(); ++n) {
      values[static_cast<std::size_t>(n)] = log_density(factor_of(batch, i), theta.row(n));
    }
    result(i) = log_sum_exp(std::span<const double>(values)) - std::log(static_cast<double>(theta.rows()));
  }
  return result;
}

}  // namespace fedstein
