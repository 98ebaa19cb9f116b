// SPDX-License-Identifier: Apache-2.0
// Sums over the columns of two sets of rows, for every pair of rows: few rows, any number of columns.
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Rows that lie `stride` numbers apart.
struct RowSet {
  const Real* data;
  Index count;
  Index stride;
};

// out[i * out_stride + j] += sum over `columns` of (x_i - y_j)^2, for all j, or with `lower_half` at least for j <= i.
// At least kLanes columns (see fewest_columns).
void add_pair_squared_distances(
    const RowSet& x, const RowSet& y, Index columns, bool lower_half, Real* out, Index out_stride);

// out[i * out_stride + j] += factor * sum over `columns` of x_i * y_j.
void add_pair_products(Real factor, const RowSet& x, const RowSet& y, Index columns, Real* out, Index out_stride);

// Below it the loops have nothing to fill a register with.
Index fewest_columns();

}  // namespace fedstein
