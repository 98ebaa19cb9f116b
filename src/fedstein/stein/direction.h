// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/kernel.h"

namespace fedstein {

// The SVGD direction for the scores s (N x d) of a target at the particles x (N x d):          [eq. particles_gradient]
//
//   phi_n = 1/N sum_j [ k(x_j, x_n) s_j + d/dx_j k(x_j, x_n) ]
//
// attraction and repulsion in one product per block of columns: O(N^2 d) time, O(N^2) memory beside the result. One
// particle moves along its score. phi must not overlap x or score.
void stein_direction(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score, MatrixRef phi);

}  // namespace fedstein
