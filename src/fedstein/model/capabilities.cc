// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/capabilities.h"

#include <utility>

namespace fedstein {

void Curvature::add_gauss_newton(const ConstMatrixRef& theta,
                                 const Batch& batch,
                                 double weight,
                                 MatrixRef diagonal) const {
  Matrix exact = Matrix::Zero(theta.rows(), theta.cols());
  add_likelihood_curvature(theta, batch, 1, exact);
  diagonal -= static_cast<Real>(weight) * exact.cwiseMin(Real{0});
}

Forecast Predictive::forecast(const ConstMatrixRef& theta, const Batch& batch) const {
  Prediction prediction = predict(theta, batch.x);
  Forecast out{std::move(prediction.probabilities), std::move(prediction.mean), log_predictive(theta, batch), {}};
  if (out.mean.size() > 0) out.variance = prediction.aleatoric_variance + prediction.epistemic_variance;
  return out;
}

}  // namespace fedstein
