// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/model.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

void Model::fit_start(const Batch&, MatrixRef particles) const {
  check_columns("Model::fit_start", "particles", particles, dimension());
}

DoubleVector log_posterior(const Model& model, const ConstMatrixRef& theta, const Batch& batch, double temperature) {
  check_positive("log_posterior", "temperature", temperature);
  return model.prior_log_density(theta) + model.log_likelihood(theta, batch) / temperature;
}

std::function<void(MatrixRef particles)> constraint_of(const Model& model) {
  const Support* support = model.support();
  if (support == nullptr) return {};
  return [support](MatrixRef particles) { support->reflect(particles); };
}

}  // namespace fedstein
