// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// out(i, j) = |x_i - y_j|^2 for the rows of x (N x d) and y (M x d); out is N x M.
//
// Accurate for rows far from the origin and close together: either the differences are formed first, or, where a matrix
// product is faster, the mean of y is subtracted first. (With weights near 10 and rows 0.01 apart the raw
// |x|^2 + |y|^2 - 2xy has no correct digit in single precision.) Never negative. Does not allocate after warm-up.
void squared_distances(const ConstMatrixRef& x, const ConstMatrixRef& y, MatrixRef out);

// The same for y = x: out is symmetric to the last bit, its diagonal exactly zero, and half the work is spared.
void squared_distances(const ConstMatrixRef& x, MatrixRef out);

}  // namespace fedstein
