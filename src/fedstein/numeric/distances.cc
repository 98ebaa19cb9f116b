// SPDX-License-Identifier: Apache-2.0
//
// Ways by shape. All split the work into pieces that depend on the shape alone.
//
//   few columns    one row against all others at a time, along a transposed copy              3 N M d operations
//   a handful      of rows among themselves: side by side, see narrow.h                       3 N N d
//   few rows       differences in registers, pieces of columns whose sums are added in order  3 N M d
//   else           |x|^2 + |y|^2 - 2 x.y of centred rows, a matrix product per block          2 N M d
#include "fedstein/numeric/distances.h"

#include <algorithm>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/narrow.h"
#include "fedstein/numeric/pair_sums.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kFewColumns = 16;  // at least fewest_columns()
constexpr Index kFewPairs = 64 * 64;
constexpr Index kSlab = 512;  // columns at a time: the rows of a tile and of the next stay in the first-level cache
constexpr Index kColumnsPerPiece = 8 * kSlab;
constexpr Index kMostPieces = 128;       // bounds the memory of the partial sums
constexpr Index kMostInAHandful = 1024;  // columns: beyond them transposing costs more than it spares
constexpr Index kRowBlock = 128;

// With `symmetric`, x and y are the same rows and only j < i is computed.

// Symmetric by itself, and faster whole than mirrored.
void along_transposed(const ConstMatrixRef& x, const ConstMatrixRef& y, MatrixRef out) {
  Scratch columns(y.cols(), y.rows());
  *columns = y.transpose();
  for (Index i = 0; i < x.rows(); ++i) {
    auto row = out.row(i).array();
    row = (columns->row(0).array() - x(i, 0)).square();
    for (Index k = 1; k < x.cols(); ++k) row += (columns->row(k).array() - x(i, k)).square();
  }
}

// The sums of a piece, slab after slab. A last slab too narrow for a register is part of the one before.
void add_slabs(const RowSet& x, const RowSet& y, Index columns, bool symmetric, Real* sums) {
  for (Index begin = 0; begin < columns;) {
    const Index rest = columns - begin;
    const Index count = rest < kSlab + fewest_columns() ? rest : kSlab;
    const RowSet x_slab{x.data + begin, x.count, x.stride};
    const RowSet y_slab{y.data + begin, y.count, y.stride};
    add_pair_squared_distances(x_slab, y_slab, count, symmetric, sums, y.count);
    begin += count;
  }
}

void by_differences(const ConstMatrixRef& x, const ConstMatrixRef& y, bool symmetric, MatrixRef out) {
  Index piece = std::max(kColumnsPerPiece, pieces(x.cols(), kMostPieces));
  if (x.cols() % piece != 0 && x.cols() % piece < fewest_columns()) piece += fewest_columns();
  const Index count = pieces(x.cols(), piece);
  Scratch partial(count * x.rows(), y.rows());
  auto& sums = *partial;  // the scratch of this thread, written by others below: one block of rows per piece
  parallel_for(x.cols(), piece, [&](Index begin, Index end) {
    auto own = sums.middleRows(begin / piece * x.rows(), x.rows());
    own.setZero();
    const RowSet x_piece{x.data() + begin, x.rows(), x.outerStride()};
    const RowSet y_piece{y.data() + begin, y.rows(), y.outerStride()};
    add_slabs(x_piece, y_piece, end - begin, symmetric, own.data());
  });
  for (Index i = 0; i < x.rows(); ++i) {
    auto row = out.row(i).head(symmetric ? i : y.rows());
    row = sums.row(i).head(row.size());
    for (Index p = 1; p < count; ++p) row += sums.row(p * x.rows() + i).head(row.size());
  }
}

using Map = Eigen::Map<Matrix, Eigen::Aligned64>;

void centre(const ConstMatrixRef& rows, const Map& mean, Map& centred, Map& norms) {
  parallel_for(rows.rows(), kRowBlock, [&](Index begin, Index end) {
    auto block = centred.middleRows(begin, end - begin);
    block = rows.middleRows(begin, end - begin).rowwise() - mean.row(0);
    norms.row(0).segment(begin, end - begin) = block.rowwise().squaredNorm().transpose();
  });
}

void by_products(const ConstMatrixRef& x, const ConstMatrixRef& y, bool symmetric, MatrixRef out) {
  Scratch mean(1, y.cols());
  Scratch centred_y(y.rows(), y.cols());
  Scratch norms_y(1, y.rows());
  Scratch centred_x(symmetric ? 0 : x.rows(), x.cols());
  Scratch norms_x(1, symmetric ? 0 : x.rows());
  *mean = y.colwise().mean();
  centre(y, *mean, *centred_y, *norms_y);
  if (!symmetric) centre(x, *mean, *centred_x, *norms_x);
  const Map ys = *centred_y;
  const Map y_norms = *norms_y;
  const Map xs = symmetric ? *centred_y : *centred_x;
  const Map x_norms = symmetric ? *norms_y : *norms_x;
  parallel_for(x.rows(), kRowBlock, [&](Index begin, Index end) {
    const Index columns = symmetric ? end : y.rows();
    auto block = out.block(begin, 0, end - begin, columns);
    block.setZero();
    add_product_transposed(-2, xs.middleRows(begin, end - begin), ys.topRows(columns), block);
    for (Index i = 0; i < block.rows(); ++i) {
      auto row = block.row(i).array();
      row = (row + y_norms.row(0).head(columns).array() + x_norms(0, begin + i)).max(Real{0});
    }
  });
}

// A handful of rows: side by side, so that no sum runs across a register. Symmetric by itself.
void among_a_handful(const ConstMatrixRef& x, MatrixRef out) {
  Scratch columns(x.cols(), kNarrowColumns);
  Scratch r2(x.rows(), kNarrowColumns);
  to_narrow(x, columns->data());
  narrow_squared_distances({x.data(), x.rows(), x.outerStride()}, x.cols(), columns->data(), r2->data());
  out = r2->leftCols(x.rows());
}

// The lower half to the upper, tile by tile so that both stay in the cache; zero on the diagonal.
void mirror(MatrixRef out) {
  constexpr Index kTile = 32;
  const Index n = out.rows();
  parallel_for(n, 8 * kTile, [&](Index begin, Index end) {
    for (Index i = begin; i < end; i += kTile) {
      const Index rows = std::min(kTile, end - i);
      for (Index j = i + rows; j < n; j += kTile) {
        const Index columns = std::min(kTile, n - j);
        out.block(i, j, rows, columns) = out.block(j, i, columns, rows).transpose();
      }
      for (Index row = i; row < i + rows; ++row) {
        out(row, row) = 0;
        for (Index column = row + 1; column < i + rows; ++column) out(row, column) = out(column, row);
      }
    }
  });
}

void compute(const ConstMatrixRef& x, const ConstMatrixRef& y, bool symmetric, MatrixRef out) {
  if (x.cols() <= kFewColumns) {
    along_transposed(x, y, out);
  } else if (x.rows() * y.rows() <= kFewPairs) {
    by_differences(x, y, symmetric, out);
  } else {
    by_products(x, y, symmetric, out);
  }
}

void check_arguments(const ConstMatrixRef& x, const ConstMatrixRef& y, const MatrixRef& out) {
  constexpr const char* kWho = "squared_distances";
  check_not_empty(kWho, "x", x);
  check_not_empty(kWho, "y", y);
  check_columns(kWho, "y", y, x.cols());
  check_argument(out.rows() == x.rows() && out.cols() == y.rows(), kWho, [&] {
    return "out is " + shape_of(out) + "; it must be " + std::to_string(x.rows()) + " x " + std::to_string(y.rows());
  });
}

}  // namespace

void squared_distances(const ConstMatrixRef& x, const ConstMatrixRef& y, MatrixRef out) {
  check_arguments(x, y, out);
  compute(x, y, false, out);
}

void squared_distances(const ConstMatrixRef& x, MatrixRef out) {
  check_arguments(x, x, out);
  if (x.rows() <= kNarrowColumns && x.cols() > kFewColumns && x.cols() <= kMostInAHandful)
    return among_a_handful(x, out);
  compute(x, x, true, out);
  if (x.cols() > kFewColumns) mirror(out);
}

}  // namespace fedstein
