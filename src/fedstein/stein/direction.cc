// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/direction.h"

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// Columns per piece: with many particles a piece is a large product already, with few it should fill the L2 cache.
Index columns_per_piece(Index particles) {
  return particles > 64 ? 256 : 2048;
}

}  // namespace

// With F'_nj = f'(|x_n - x_j|^2), c_j = x_j - mean and the row sums r of F', the definition becomes
//
//   N phi = K s + 2 F' c - 2 diag(r) c.
//
// The mean drops out of the exact sum, but not out of the rounding: particles near 100 and 0.01 apart need it gone.
void stein_direction(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score, MatrixRef phi) {
  constexpr const char* kWho = "stein_direction";
  check_not_empty(kWho, "x", x);
  check_same_shape(kWho, "score", score, "x", x);
  check_same_shape(kWho, "phi", phi, "x", x);
  const Index n = x.rows();
  if (n == 1) {
    phi = score;
    return;
  }

  // [K | 2 F'] side by side, so that one product with [s ; c] gives attraction and repulsion together.
  Scratch r2(n, n);
  Scratch weights(n, 2 * n);
  Scratch row_sums(n, 1);
  squared_distances(x, *r2);
  const double h = kernel.bandwidth().of(*r2);
  kernel.evaluate(h, *r2, weights->leftCols(n), weights->rightCols(n));
  *weights /= static_cast<Real>(n);
  weights->rightCols(n) *= 2;
  *row_sums = -weights->rightCols(n).rowwise().sum();

  parallel_for(x.cols(), columns_per_piece(n), [&](Index begin, Index end) {
    const Index columns = end - begin;
    Scratch stacked(2 * n, columns);
    Scratch mean(1, columns);
    stacked->topRows(n) = score.middleCols(begin, columns);
    auto centred = stacked->bottomRows(n);
    centred = x.middleCols(begin, columns);
    *mean = centred.colwise().mean();
    centred.rowwise() -= mean->row(0);
    auto out = phi.middleCols(begin, columns);
    out = row_sums->col(0).asDiagonal() * centred;
    add_product(1, *weights, *stacked, out);
  });
}

}  // namespace fedstein
