// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/gauss_hermite.h"

#include <cmath>
#include <string>

#include "fedstein/numeric/check.h"

namespace fedstein {

NormalQuadrature normal_quadrature(Index points, Index dimension) {
  constexpr const char* kName = "normal_quadrature";
  check_argument(points >= 1 && points <= 128, kName, [&] {
    return "points is " + std::to_string(points) + "; it must be from 1 to 128";
  });
  check_argument(dimension == 1 || dimension == 2, kName, [&] {
    return "dimension is " + std::to_string(dimension) + "; it must be 1 or 2";
  });
  // z He_k = He_(k+1) + k He_(k-1): the symmetric Jacobi matrix has sqrt(k) beside an empty diagonal.
  DoubleMatrix jacobi = DoubleMatrix::Zero(points, points);
  for (Index k = 1; k < points; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = std::sqrt(static_cast<double>(k));
  const Eigen::SelfAdjointEigenSolver<DoubleMatrix> solver(jacobi);
  const DoubleVector& nodes = solver.eigenvalues();
  const DoubleVector weights = solver.eigenvectors().row(0).transpose().cwiseAbs2();
  if (dimension == 1) return {nodes, weights};

  NormalQuadrature product{DoubleMatrix(points * points, 2), DoubleVector(points * points)};
  for (Index i = 0; i < points; ++i) {
    for (Index j = 0; j < points; ++j) {
      product.nodes.row(i * points + j) << nodes(i), nodes(j);
      product.weights(i * points + j) = weights(i) * weights(j);
    }
  }
  return product;
}

}  // namespace fedstein
