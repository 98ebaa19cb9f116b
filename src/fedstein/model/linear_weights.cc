// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/linear_weights.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

void check_weights(const char* name, const LinearWeights& weights) {
  check_argument(weights.inputs >= 1, name, "inputs is " + std::to_string(weights.inputs) + "; it must be at least 1");
  check_positive(name, "prior_deviation", weights.prior_deviation);
  check_positive(name, "intercept_deviation", weights.intercept_deviation);
}

RowVector deviations_of(const LinearWeights& weights) {
  RowVector out = RowVector::Constant(weights.count(), static_cast<Real>(weights.prior_deviation));
  if (weights.intercept) out(weights.inputs) = static_cast<Real>(weights.intercept_deviation);
  return out;
}

}  // namespace fedstein
