// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/kde.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/log_sum_exp.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/stein/softmax_weights.h"

namespace fedstein {
namespace {

constexpr Index kColumnsPerPiece = 2048;

}  // namespace

Kde::Kde(const ConstMatrixRef& particles, double bandwidth) : bandwidth_(bandwidth) {
  check_not_empty("Kde", "particles", particles);
  check_finite("Kde", "particles", particles);
  check_positive("Kde", "bandwidth", bandwidth);
  mean_ = particles.colwise().mean();
  centred_ = particles.rowwise() - mean_;
}

void Kde::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  check_columns("Kde::add", "theta", theta, dimension());
  check_same_shape("Kde::add", "grad", grad, "theta", theta);
  Scratch shifted(theta.rows(), theta.cols());
  Scratch weights(theta.rows(), centred_.rows());
  *shifted = theta.rowwise() - mean_;
  squared_distances(*shifted, centred_, *weights);
  softmax_weights(2 * bandwidth_ * bandwidth_, *weights);

  const auto factor = static_cast<Real>(weight / (bandwidth_ * bandwidth_));
  *weights *= factor;
  parallel_for(theta.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
    auto out = grad.middleCols(begin, end - begin);
    add_product(1, *weights, centred_.middleCols(begin, end - begin), out);
    out -= factor * shifted->middleCols(begin, end - begin);
  });
}

DoubleVector Kde::log_density(const ConstMatrixRef& theta) const {
  check_columns("Kde::log_density", "theta", theta, dimension());
  const Matrix shifted = theta.rowwise() - mean_;
  Matrix exponents(theta.rows(), centred_.rows());
  squared_distances(shifted, centred_, exponents);
  exponents *= static_cast<Real>(-1 / (2 * bandwidth_ * bandwidth_));

  const double log_normaliser =
      std::log(static_cast<double>(centred_.rows())) +
      static_cast<double>(dimension()) / 2 * std::log(2 * std::numbers::pi * bandwidth_ * bandwidth_);
  DoubleVector out(theta.rows());
  for (Index i = 0; i < theta.rows(); ++i) {
    const auto row = std::span<const Real>(exponents.row(i).data(), static_cast<std::size_t>(exponents.cols()));
    out(i) = log_sum_exp(row) - log_normaliser;
  }
  return out;
}

}  // namespace fedstein
