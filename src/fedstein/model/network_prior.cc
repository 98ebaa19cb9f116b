// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/network_prior.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

RowVector layer_precisions(const Network& net) {
  RowVector out(net.size());
  for (const Network::Layer& layer : net.layers()) {
    const Index weights = layer.inputs * layer.units;
    out.segment(layer.offset, weights)
        .setConstant(static_cast<Real>(static_cast<double>(layer.inputs) / NetworkPrior::kLayerVariance));
    out.segment(layer.offset + weights, layer.units).setOnes();
  }
  return out;
}

}  // namespace

NetworkPrior::NetworkPrior(const char* name, const Network& net, double precision)
    : size_(net.size()), precision_(precision) {
  check_argument(std::isfinite(precision) && precision >= 0, name, [&] {
    return "prior_precision is " + to_text(precision) + "; it must be a finite number, 0 or above";
  });
  if (precision == 0) precisions_ = layer_precisions(net);
}

DoubleVector NetworkPrior::log_density(const ConstMatrixRef& theta) const {
  const auto weights = theta.leftCols(size_);
  const double size = static_cast<double>(size_);
  if (precision_ > 0) {
    const double constant = 0.5 * size * std::log(precision_ / (2 * std::numbers::pi));
    return (constant - 0.5 * precision_ * weights.cast<double>().rowwise().squaredNorm().array()).matrix();
  }
  const double constant =
      0.5 * (precisions_.cast<double>().array().log().sum() - size * std::log(2 * std::numbers::pi));
  const DoubleVector squares = weights.cast<double>().cwiseAbs2() * precisions_.cast<double>().transpose();
  return (constant - 0.5 * squares.array()).matrix();
}

void NetworkPrior::add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  if (precision_ > 0) {
    grad.leftCols(size_) -= static_cast<Real>(weight * precision_) * theta.leftCols(size_);
    return;
  }
  const auto factor = static_cast<Real>(weight);
  for (Index n = 0; n < theta.rows(); ++n) {
    grad.row(n).head(size_).array() -= factor * precisions_.array() * theta.row(n).head(size_).array();
  }
}

}  // namespace fedstein
