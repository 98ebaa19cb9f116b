// SPDX-License-Identifier: Apache-2.0
// Products of many rows with a few others, for a long pass over data that is read once. Not installed: part of no
// interface.
#pragma once

#include "fedstein/numeric/matrix.h"
#include "fedstein/numeric/pair_sums.h"

namespace fedstein {

inline constexpr Index kMostRowFactors = 32 / static_cast<Index>(sizeof(Real));
inline constexpr Index kRowGroup = kMostRowFactors;  // results are written in groups of this many

// The few rows, laid out for row_products.
class RowFactors {
 public:
  // From 1 to kMostRowFactors rows of at least fewest_columns() columns, and what each product starts with.
  RowFactors(const ConstMatrixRef& rows, const Vector& starts);

  Index count() const { return count_; }
  Index columns() const { return columns_; }
  const Real* chunks() const { return chunks_.data(); }
  Real start(Index i) const { return starts_(i); }

 private:
  Index count_;
  Index columns_;
  Vector chunks_;
  Vector starts_;
};

// out[i * out_stride + j] = start_i + factor_i . x_j. Past the last row its group is filled up with it: `out` has room
// for whole groups.
void row_products(const RowFactors& factors, const RowSet& x, Real* out, Index out_stride);

}  // namespace fedstein
