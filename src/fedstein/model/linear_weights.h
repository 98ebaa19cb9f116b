// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// The weights of a model that is linear in its inputs, w.x + b, and how far they may be from 0 under the prior. For
// standardised inputs; b is the value in the middle of the rows, about which the prior is to say next to nothing.
struct LinearWeights {
  Index inputs = 0;
  double prior_deviation = 1;  // of each weight
  bool intercept = true;       // b, stored behind the weights
  double intercept_deviation = 10;

  Index count() const { return inputs + (intercept ? 1 : 0); }
};

// Throws InvalidArgument, `name` first, for numbers out of range.
void check_weights(const char* name, const LinearWeights& weights);
// The prior's deviation of each weight.
RowVector deviations_of(const LinearWeights& weights);

}  // namespace fedstein
