// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/floored_kde.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr double kKernelFloor = 1e-9;
constexpr double kDensityFloor = 1e-10;

}  // namespace

FlooredKde::FlooredKde(const ConstMatrixRef& particles, double bandwidth, Index dimension)
    : particles_(particles), bandwidth_(bandwidth) {
  check_not_empty("FlooredKde", "particles", particles);
  check_finite("FlooredKde", "particles", particles);
  check_positive("FlooredKde", "bandwidth", bandwidth);
  const double base = static_cast<double>(particles.rows()) * 2 * std::numbers::pi * bandwidth * bandwidth;
  log_scale_ = -static_cast<double>(dimension) / 2 * std::log(base);
}

void FlooredKde::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  check_columns("FlooredKde::add", "theta", theta, particles_.cols());
  check_same_shape("FlooredKde::add", "grad", grad, "theta", theta);
  Scratch weights(theta.rows(), particles_.rows());
  squared_distances(theta, particles_, *weights);
  const double exponent = -1 / (2 * bandwidth_ * bandwidth_);
  for (Index i = 0; i < theta.rows(); ++i) {
    // In double, and with c's excess over 1 divided out of numerator and density: c spans more decades than a double
    // has.
    auto row = weights->row(i).array();
    const double excess = std::max(0.0, log_scale_);
    const double scale = std::exp(log_scale_ - excess);
    double density = kDensityFloor * std::exp(-excess) + scale * kKernelFloor * static_cast<double>(row.size());
    for (Index j = 0; j < row.size(); ++j) density += scale * std::exp(exponent * static_cast<double>(row(j)));
    for (Index j = 0; j < row.size(); ++j) {
      const double kernel = scale * std::exp(exponent * static_cast<double>(row(j)));
      row(j) = static_cast<Real>(weight * kernel / (density * bandwidth_ * bandwidth_));
    }
    grad.row(i).noalias() += weights->row(i) * particles_;
    grad.row(i) -= row.sum() * theta.row(i);
  }
}

DoubleVector FlooredKde::log_density(const ConstMatrixRef& theta) const {
  check_columns("FlooredKde::log_density", "theta", theta, particles_.cols());
  Matrix r2(theta.rows(), particles_.rows());
  squared_distances(theta, particles_, r2);
  const DoubleMatrix kernels = (r2.cast<double>() * (-1 / (2 * bandwidth_ * bandwidth_))).array().exp();
  const double excess = std::max(0.0, log_scale_);
  return (std::exp(log_scale_ - excess) *
              (kernels.rowwise().sum().array() + kKernelFloor * static_cast<double>(particles_.rows())) +
          kDensityFloor * std::exp(-excess))
             .log() +
         excess;
}

}  // namespace fedstein
