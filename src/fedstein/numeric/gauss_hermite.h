// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Gauss-Hermite rule for a standard normal: E[f(z)] = sum_i weights(i) f(nodes.row(i)), exact for polynomials of degree
// below 2 points in every coordinate. In d dimensions the product rule of points^d nodes.
struct NormalQuadrature {
  DoubleMatrix nodes;    // points^d x d
  DoubleVector weights;  // sum to 1
};

// By the eigenvectors of the Jacobi matrix (Golub and Welsch 1969). points from 1 to 128, dimension 1 or 2.
NormalQuadrature normal_quadrature(Index points, Index dimension);

}  // namespace fedstein
