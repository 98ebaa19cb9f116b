// SPDX-License-Identifier: Apache-2.0
// What every kernel satisfies. Call expect_kernel_invariants from the test of a new one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/distances.h"
#include "fedstein/stein/direction.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {

struct Gram {
  double bandwidth;
  Matrix value;
  Matrix slope;
};

inline Gram gram_of(const Kernel& kernel, const Matrix& x) {
  Matrix r2(x.rows(), x.rows());
  squared_distances(x, r2);
  Gram gram{kernel.bandwidth().of(r2), r2, r2};
  kernel.evaluate(gram.bandwidth, r2, gram.value, gram.slope);
  return gram;
}

// k(x_i, x_j) = k(x_j, x_i), k(x, x) = 1, all eigenvalues of the Gram matrix >= 0 up to rounding.
inline void expect_symmetric_positive_semidefinite(const Kernel& kernel, const Matrix& x) {
  const Gram gram = gram_of(kernel, x);
  EXPECT_TRUE(close(gram.value, gram.value.transpose(), 1e-6));  // exp differs in its last bit along a packet's edge
  EXPECT_TRUE(identical(gram.value.diagonal(), Vector::Ones(x.rows())));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram.value.cast<double>(), Eigen::EigenvaluesOnly);
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-5 * static_cast<double>(x.rows()));
}

// Reordering the particles reorders the directions and changes nothing else.
inline void expect_permutation_equivariant(const Kernel& kernel, const Matrix& x, const Matrix& score) {
  Matrix phi(x.rows(), x.cols());
  Matrix phi_reversed(x.rows(), x.cols());
  stein_direction(kernel, x, score, phi);
  stein_direction(kernel, x.colwise().reverse(), score.colwise().reverse(), phi_reversed);
  EXPECT_TRUE(close(phi_reversed.colwise().reverse(), phi));
}

// With zero scores the direction is repulsion alone: 1/N sum_j d/dx_j k(x_j, x_n) at the bandwidth of x, which is minus
// the derivative of 1/N sum_j k(x_j, y) with respect to y at y = x_n.
inline void expect_repulsion_is_derivative_of_gram_sum(const Kernel& kernel, const Matrix& x) {
  Matrix repulsion(x.rows(), x.cols());
  stein_direction(kernel, x, Matrix::Zero(x.rows(), x.cols()), repulsion);
  const double h = gram_of(kernel, x).bandwidth;
  const auto gram_sums = [&](const Matrix& y) {
    Matrix r2(y.rows(), x.rows());
    squared_distances(y, x, r2);
    Matrix value = r2, slope = r2;
    kernel.evaluate(h, r2, value, slope);
    return DoubleVector(value.cast<double>().rowwise().sum() / static_cast<double>(x.rows()));
  };
  // A small share of the kernel's own length, rounded to a power of two so that x + shift is exact.
  const double share = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-5 : 1.0 / 128;
  const double shift = std::exp2(std::floor(std::log2(share * std::sqrt(h))));
  DoubleMatrix expected(x.rows(), x.cols());
  for (Index k = 0; k < x.cols(); ++k) {
    Matrix up = x, down = x;
    up.col(k).array() += static_cast<Real>(shift);
    down.col(k).array() -= static_cast<Real>(shift);
    expected.col(k) = -(gram_sums(up) - gram_sums(down)) / (2 * shift);
  }
  EXPECT_TRUE(close(repulsion, expected, FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-6 : 5e-3));
}

inline void expect_kernel_invariants(const Kernel& kernel, const Matrix& x, const Matrix& score) {
  expect_symmetric_positive_semidefinite(kernel, x);
  expect_permutation_equivariant(kernel, x, score);
  expect_repulsion_is_derivative_of_gram_sum(kernel, x);
}

}  // namespace fedstein
