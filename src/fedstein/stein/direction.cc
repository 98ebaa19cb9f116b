// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/direction.h"

#include <algorithm>
#include <array>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/lanes.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// Columns per piece: with many particles a piece is a large product already, with few it should fill the L2 cache.
Index columns_per_piece(Index particles) {
  return particles > 64 ? 256 : 2048;
}

// With F'_nj = f'(|x_n - x_j|^2), c_j = x_j - mean and the row sums r of F', the definition becomes
//
//   N phi = K s + 2 F' c - 2 diag(r) c.
//
// The mean drops out of the exact sum, but not out of the rounding: particles near 100 and 0.01 apart need it gone.

// c = x - mean over the particles, for some columns.
void centre(const ConstMatrixRef& x, Index begin, Index columns, Scratch& mean, MatrixRef centred) {
  mean->row(0) = x.row(0).segment(begin, columns);
  for (Index i = 1; i < x.rows(); ++i) mean->row(0) += x.row(i).segment(begin, columns);
  *mean *= 1 / static_cast<Real>(x.rows());
  for (Index i = 0; i < x.rows(); ++i) centred.row(i) = x.row(i).segment(begin, columns) - mean->row(0);
}

// body(k, read, write) for whole registers, or number by number where there are too few columns for one.
template <typename Body>
void for_columns(Index columns, const Body& body) {
  if (columns >= kLanes) {
    for_registers(columns, [&](Index k) { body(k, load, store); });
    return;
  }
  for (Index k = 0; k < columns; ++k) {
    body(
        k, [](const Real* place) { return *place; }, [](Real value, Real* place) { *place = value; });
  }
}

// moved = s + pull c and out_i = push_i c_i, a block of columns after the other: so many that reading a row is a
// stream, so few that its second reading comes from the cache.
void split(
    const ConstMatrixRef& x, const ConstMatrixRef& score, Real pull, const Real* push, MatrixRef moved, MatrixRef out) {
  constexpr Index kBlock = 512;
  alignas(64) std::array<Real, kBlock> means;
  const Index n = x.rows();
  for (Index begin = 0; begin < x.cols(); begin += kBlock) {
    const Index columns = std::min(kBlock, x.cols() - begin);
    Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>, Eigen::Aligned64> mean(means.data(), columns);
    mean = x.row(0).segment(begin, columns).array();
    for (Index i = 1; i < n; ++i) mean += x.row(i).segment(begin, columns).array();
    mean *= 1 / static_cast<Real>(n);
    for (Index i = 0; i < n; ++i) {
      const Real* from = x.row(i).data() + begin;
      const Real* its_score = score.row(i).data() + begin;
      Real* its_moved = moved.row(i).data() + begin;
      Real* its_out = out.row(i).data() + begin;
      const auto at = [&](Index k, auto read, auto write) {
        const auto centred = read(from + k) - read(mean.data() + k);
        write(read(its_score + k) + pull * centred, its_moved + k);
        write(push[i] * centred, its_out + k);
      };
      if (columns >= kLanes) {
        for_registers(columns, [&](Index k) { at(k, load, store); });
      } else {
        for (Index k = 0; k < columns; ++k) {
          at(
              k, [](const Real* place) { return *place; }, [](Real value, Real* place) { *place = value; });
        }
      }
    }
  }
}

// For F' = g K:   N phi = K (s + 2 g c) - 2 g diag(row sums of K) c, one product.
void one_product(const Kernel& kernel,
                 double h,
                 double log_slope,
                 const ConstMatrixRef& x,
                 const ConstMatrixRef& score,
                 MatrixRef r2,
                 MatrixRef phi) {
  const Index n = x.rows();
  kernel.evaluate_in_place(h, r2);
  r2 *= 1 / static_cast<Real>(n);
  const auto pull = static_cast<Real>(2 * log_slope);
  Scratch push(n, 1);
  for (Index i = 0; i < n; ++i) (*push)(i, 0) = -pull * static_cast<Real>(sum_of(r2.row(i).data(), n));

  parallel_for(x.cols(), columns_per_piece(n), [&](Index begin, Index end) {
    const Index columns = end - begin;
    Scratch moved(n, columns);
    auto out = phi.middleCols(begin, columns);
    split(x.middleCols(begin, columns), score.middleCols(begin, columns), pull, push->data(), *moved, out);
    add_product(1, r2, *moved, out);
  });
}

// [K | 2 F'] side by side, so that one product with [s ; c] gives attraction and repulsion together.
void two_products(const Kernel& kernel,
                  double h,
                  const ConstMatrixRef& x,
                  const ConstMatrixRef& score,
                  const ConstMatrixRef& r2,
                  MatrixRef phi) {
  const Index n = x.rows();
  Scratch weights(n, 2 * n);
  Scratch row_sums(n, 1);
  kernel.evaluate(h, r2, weights->leftCols(n), weights->rightCols(n));
  *weights /= static_cast<Real>(n);
  weights->rightCols(n) *= 2;
  *row_sums = -weights->rightCols(n).rowwise().sum();

  parallel_for(x.cols(), columns_per_piece(n), [&](Index begin, Index end) {
    const Index columns = end - begin;
    Scratch mean(1, columns);
    Scratch stacked(2 * n, columns);
    stacked->topRows(n) = score.middleCols(begin, columns);
    centre(x, begin, columns, mean, stacked->bottomRows(n));
    auto out = phi.middleCols(begin, columns);
    out = row_sums->col(0).asDiagonal() * stacked->bottomRows(n);
    add_product(1, *weights, *stacked, out);
  });
}

}  // namespace

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
  Scratch r2(n, n);
  squared_distances(x, *r2);
  const double h = kernel.bandwidth().of(*r2);
  if (const auto log_slope = kernel.log_slope(h)) {
    one_product(kernel, h, *log_slope, x, score, *r2, phi);
  } else {
    two_products(kernel, h, x, score, *r2, phi);
  }
}

}  // namespace fedstein
