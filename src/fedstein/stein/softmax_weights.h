// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Columns that share a softmax of their own, of squared length scale h.
struct SoftmaxGroup {
  Index begin;
  Index count;
  double h;
};

// Replaces every row of squared distances by the weights softmax_m(-r2[m] / h) within each group; the groups cover all
// columns, and their row sums are 1. At h = 0 the nearest share the weight equally, the limit of a shrinking h. Weights
// too small to change a digit of any weighted sum (the squared rounding error of the largest) are exactly zero, so that
// products can skip them.
void softmax_weights(std::span<const SoftmaxGroup> groups, MatrixRef r2);
void softmax_weights(double h, MatrixRef r2);

}  // namespace fedstein
