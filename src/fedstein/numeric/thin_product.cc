// SPDX-License-Identifier: Apache-2.0
//
// A tile of kTall rows by kWide registers of columns stays in registers while all of `depth` is added to it. Columns
// are the outer loop: the part of b that they need then stays in the first-level cache for all rows of a.
#include "fedstein/numeric/thin_product.h"

#include "fedstein/numeric/lanes.h"

namespace fedstein {
namespace {

// With the row of b and a number of a: 6 x 4 + 4 + 1 of 32 registers, or 6 x 2 + 2 + 1 of 16.
constexpr int kTall = 6;
constexpr int kWide = kLaneBytes == 64 ? 4 : 2;

struct Operands {
  Real factor;
  Factors a;
  Index depth;
  RowSet b;
  Real* out;
  Index out_stride;
};

// Columns `column` and on; the last register begins at `last`, and where it overlaps the one before it only the lanes
// of `rest` count.
template <int kRows, int kColumns>
void tile(const Operands& with, Index i, Index column, Index last, const LaneMask& rest) {
  Lanes sums[kRows][kColumns] = {};
  for (Index p = 0; p < with.depth; ++p) {
    const Real* b = with.b.data + p * with.b.stride;
    const Real* a = with.a.data + i * with.a.row_stride + p * with.a.column_stride;
    // Rows of b are too many streams for the processor to foresee: the next columns are asked for while these are used.
    if (i == 0) {
#pragma GCC unroll 8
      for (int j = 0; j < kColumns; ++j) __builtin_prefetch(b + column + (kColumns + j) * kLanes);
    }
    Lanes row[kColumns];
#pragma GCC unroll 8
    for (int j = 0; j < kColumns - 1; ++j) row[j] = load_lanes(b + column + j * kLanes);
    row[kColumns - 1] = load_lanes(b + last);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Lanes scale = broadcast(a[r * with.a.row_stride]);
#pragma GCC unroll 8
      for (int j = 0; j < kColumns; ++j) sums[r][j] += scale * row[j];
    }
  }
  const Lanes factor = broadcast(with.factor);
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    Real* out = with.out + (i + r) * with.out_stride;
#pragma GCC unroll 8
    for (int j = 0; j < kColumns - 1; ++j) {
      Real* place = out + column + j * kLanes;
      store_lanes(load_lanes(place) + factor * sums[r][j], place);
    }
    store_lanes(load_lanes(out + last) + keep(rest, factor * sums[r][kColumns - 1]), out + last);
  }
}

template <int kColumns>
void column_block(const Operands& with, Index column, Index last, const LaneMask& rest) {
  Index i = 0;
  for (; i + kTall <= with.a.rows; i += kTall) tile<kTall, kColumns>(with, i, column, last, rest);
  switch (with.a.rows - i) {
    case 5:
      return tile<5, kColumns>(with, i, column, last, rest);
    case 4:
      return tile<4, kColumns>(with, i, column, last, rest);
    case 3:
      return tile<3, kColumns>(with, i, column, last, rest);
    case 2:
      return tile<2, kColumns>(with, i, column, last, rest);
    case 1:
      return tile<1, kColumns>(with, i, column, last, rest);
    default:
      return;
  }
}

}  // namespace

void add_thin_product(
    Real factor, const Factors& a, Index depth, const RowSet& b, Index columns, Real* out, Index out_stride) {
  const Operands with{factor, a, depth, b, out, out_stride};
  const LaneMask all = last_lanes(kLanes);
  Index column = 0;
  for (; column + kWide * kLanes <= columns; column += kWide * kLanes) {
    column_block<kWide>(with, column, column + (kWide - 1) * kLanes, all);
  }
  if (column == columns) return;
  const Index registers = (columns - column + kLanes - 1) / kLanes;
  const LaneMask rest = last_lanes(columns - column - (registers - 1) * kLanes);
  switch (registers) {
    case 4:
      return column_block<4>(with, column, columns - kLanes, rest);
    case 3:
      return column_block<3>(with, column, columns - kLanes, rest);
    case 2:
      return column_block<2>(with, column, columns - kLanes, rest);
    default:
      return column_block<1>(with, column, columns - kLanes, rest);
  }
}

}  // namespace fedstein
