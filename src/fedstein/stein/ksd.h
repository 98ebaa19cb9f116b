// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/kernel.h"

namespace fedstein {

// The kernelised Stein discrepancy between the particles x and the density with scores s at them (both N x d), as the
// V-statistic: never negative, 0 only where SVGD stands still.
//
//   ksd^2 = 1/N^2 sum_ij [ k s_i.s_j + s_i.(d/dx_j k) + s_j.(d/dx_i k) + trace(d/dx_i d/dx_j k) ],   k = k(x_i, x_j)
double ksd_squared(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score);
double ksd(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score);

}  // namespace fedstein
