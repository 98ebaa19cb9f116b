// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Replaces every row of squared distances by the weights softmax_m(-r2[m] / h); the row sums are 1. At h = 0 the
// nearest share the weight equally, the limit of a shrinking h.
void softmax_weights(double h, MatrixRef r2);

}  // namespace fedstein
