// SPDX-License-Identifier: Apache-2.0
//
// A tile of kTall x kWide = kLanes pairs is summed at a time, so that its accumulators and the rows they come from stay
// in registers, and so that one tree of additions turns all the accumulators into numbers.
#include "fedstein/numeric/pair_sums.h"

#include <algorithm>

#include "fedstein/numeric/lanes.h"

namespace fedstein {
namespace {

struct SquaredDifference {
  static Lanes add(const Lanes& sum, const Lanes& a, const Lanes& b) {
    const Lanes gap = a - b;
    return sum + gap * gap;
  }
};

struct Product {
  static Lanes add(const Lanes& sum, const Lanes& a, const Lanes& b) { return sum + a * b; }
};

// Rows past the end are the last row again: their sums are computed and not looked at.
template <int kCount>
void rows_from(const RowSet& rows, Index first, const Real* (&pointers)[kCount]) {
  for (int i = 0; i < kCount; ++i) pointers[i] = rows.data + std::min(first + i, rows.count - 1) * rows.stride;
}

// Lane i * kWide + j: the sum for the tile's rows i of x and j of y.
template <typename Term, int kTall, int kWide>
[[gnu::always_inline]] inline Lanes tile(const Real* const (&x)[kTall],
                                         const Real* const (&y)[kWide],
                                         const Real* const (&next)[kWide],
                                         Index columns) {
  Lanes sums[kTall * kWide] = {};
  const auto add = [&](const Lanes(&a)[kTall], const Lanes(&b)[kWide]) {
#pragma GCC unroll 16
    for (int i = 0; i < kTall; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < kWide; ++j) sums[i * kWide + j] = Term::add(sums[i * kWide + j], a[i], b[j]);
    }
  };
  Lanes a[kTall];
  Lanes b[kWide];
  Index k = 0;
  for (; k + kLanes <= columns; k += kLanes) {
#pragma GCC unroll 16
    for (int i = 0; i < kTall; ++i) a[i] = load_lanes(x[i] + k);
#pragma GCC unroll 16
    for (int j = 0; j < kWide; ++j) b[j] = load_lanes(y[j] + k);
#pragma GCC unroll 16
    for (int j = 0; j < kWide; ++j) __builtin_prefetch(next[j] + k);
    add(a, b);
  }
  if (k < columns) {
    // The last kLanes columns once more, those already counted set to zero.
    const LaneMask rest = last_lanes(columns - k);
#pragma GCC unroll 16
    for (int i = 0; i < kTall; ++i) a[i] = keep(rest, load_lanes(x[i] + columns - kLanes));
#pragma GCC unroll 16
    for (int j = 0; j < kWide; ++j) b[j] = keep(rest, load_lanes(y[j] + columns - kLanes));
    add(a, b);
  }
  return lane_sums(sums);
}

// Rows i .. i + kTall - 1 of x against all rows of y below `end`.
template <typename Term, int kTall, typename Put>
void strip(const RowSet& x, Index i, const RowSet& y, Index end, Index columns, const Put& put) {
  constexpr int kWide = static_cast<int>(kLanes) / kTall;
  const Real* x_rows[kTall];
  const Real* y_rows[kWide];
  const Real* next_rows[kWide];
  rows_from(x, i, x_rows);
  for (Index j = 0; j < end; j += kWide) {
    rows_from(y, j, y_rows);
    rows_from(y, j + kWide, next_rows);
    Real sums[kLanes];
    store_lanes(tile<Term, kTall, kWide>(x_rows, y_rows, next_rows, columns), sums);
    const Index tall = std::min<Index>(kTall, x.count - i);
    if (end - j >= kWide) {
      for (Index row = 0; row < tall; ++row) put(i + row, j, sums + row * kWide, Index{kWide});
    } else {
      for (Index row = 0; row < tall; ++row) put(i + row, j, sums + row * kWide, end - j);
    }
  }
}

// In tiles as square as the rest of the rows allows.
template <typename Term, typename Put>
void for_pairs(const RowSet& x, const RowSet& y, Index columns, bool lower_half, const Put& put) {
  Index i = 0;
  const auto end = [&](Index rows) { return lower_half ? std::min(y.count, i + rows) : y.count; };
  if constexpr (kLanes >= 16) {
    for (; x.count - i > 2; i += 4) strip<Term, 4>(x, i, y, end(4), columns, put);
  }
  if constexpr (kLanes >= 4) {
    for (; x.count - i > 1; i += 2) strip<Term, 2>(x, i, y, end(2), columns, put);
  }
  for (; i < x.count; ++i) strip<Term, 1>(x, i, y, end(1), columns, put);
}

}  // namespace

void add_pair_squared_distances(
    const RowSet& x, const RowSet& y, Index columns, bool lower_half, Real* out, Index out_stride) {
  for_pairs<SquaredDifference>(x, y, columns, lower_half, [=](Index i, Index j, const Real* sums, Index count) {
    for (Index k = 0; k < count; ++k) out[i * out_stride + j + k] += sums[k];
  });
}

void add_pair_products(Real factor, const RowSet& x, const RowSet& y, Index columns, Real* out, Index out_stride) {
  for_pairs<Product>(x, y, columns, false, [=](Index i, Index j, const Real* sums, Index count) {
    for (Index k = 0; k < count; ++k) out[i * out_stride + j + k] += factor * sums[k];
  });
}

Index fewest_columns() {
  return kLanes;
}

}  // namespace fedstein
