// SPDX-License-Identifier: Apache-2.0
// Products whose shapes a general product would spend on packing. Not installed: part of no interface.
#pragma once

#include "fedstein/numeric/pair_sums.h"

namespace fedstein {

// A small matrix, as it lies or transposed.
struct Factors {
  const Real* data;
  Index rows;
  Index row_stride;
  Index column_stride = 1;
};

// out_i += factor * sum_p a(i, p) b_p over `columns`, for the rows i of a; b has a row for each of a's `depth` columns.
// At least fewest_columns() columns.
void add_thin_product(
    Real factor, const Factors& a, Index depth, const RowSet& b, Index columns, Real* out, Index out_stride);

}  // namespace fedstein
