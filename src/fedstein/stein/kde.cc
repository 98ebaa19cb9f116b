// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/kde.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/log_sum_exp.h"

namespace fedstein {
namespace {

// Checked before anything is made of them.
Particles checked(const ConstMatrixRef& particles, double bandwidth) {
  check_not_empty("Kde", "particles", particles);
  check_finite("Kde", "particles", particles);
  check_positive("Kde", "bandwidth", bandwidth);
  return particles;
}

Anchored form_of(const Particles& particles, double bandwidth) {
  const double square = bandwidth * bandwidth;
  return {.anchors = &particles, .values = nullptr, .h = 2 * square, .pull = 1 / square};
}

AnchoredSum sum_of_one(const Particles& particles, double bandwidth) {
  return AnchoredSum({{1, form_of(particles, bandwidth)}});
}

}  // namespace

Kde::Kde(const ConstMatrixRef& particles, double bandwidth)
    : bandwidth_(bandwidth), sum_(sum_of_one(checked(particles, bandwidth), bandwidth)) {}

void Kde::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  check_columns("Kde::add", "theta", theta, dimension());
  sum_.add(theta, step, weight, grad);
}

std::optional<Anchored> Kde::anchored() const {
  return form_of(particles(), bandwidth_);
}

DoubleVector Kde::log_density(const ConstMatrixRef& theta) const {
  check_columns("Kde::log_density", "theta", theta, dimension());
  Matrix exponents(theta.rows(), particles().rows());
  squared_distances(theta, particles(), exponents);
  exponents *= static_cast<Real>(-1 / (2 * bandwidth_ * bandwidth_));

  const double log_normaliser =
      std::log(static_cast<double>(particles().rows())) +
      static_cast<double>(dimension()) / 2 * std::log(2 * std::numbers::pi * bandwidth_ * bandwidth_);
  DoubleVector out(theta.rows());
  for (Index i = 0; i < theta.rows(); ++i) {
    const auto row = std::span<const Real>(exponents.row(i).data(), static_cast<std::size_t>(exponents.cols()));
    out(i) = log_sum_exp(row) - log_normaliser;
  }
  return out;
}

}  // namespace fedstein
