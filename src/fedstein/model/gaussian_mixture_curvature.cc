// SPDX-License-Identifier: Apache-2.0
// Second derivatives of a mixture: with shares r_c and component scores s_c,
//
//   sum_c r_c (s_c^2 - P_c) - (sum_c r_c s_c)^2.
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/gaussian_mixture.h"

namespace fedstein {
namespace {

constexpr const char* kName = "GaussianMixture";

}  // namespace

void GaussianMixture::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension_, weight, curvature);
  const auto* gaussian = std::get_if<GaussianDensity>(&prior_);
  if (gaussian == nullptr) return;
  for (Index n = 0; n < theta.rows(); ++n) gaussian->add_curvature(weight, curvature.row(n));
}

void GaussianMixture::add_likelihood_curvature(const ConstMatrixRef& theta,
                                               const Batch& batch,
                                               double weight,
                                               MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension_, weight, curvature);
  check_data(batch);
  DoubleVector gap(dimension_), score(dimension_), mean(dimension_), second(dimension_);
  for (Index i = 0; i < batch.rows(); ++i) {
    const Components& factor = factor_of(batch, i);
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

}  // namespace fedstein
