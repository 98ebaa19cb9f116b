// SPDX-License-Identifier: Apache-2.0
// Matrices of a handful of columns, a particle each: row after row without gaps, filled up with zeros to
// kNarrowColumns, so that a row is half a register and sums over data or coordinates never run across one. Not
// installed: part of no interface.
#pragma once

#include "fedstein/numeric/pair_sums.h"

namespace fedstein {

inline constexpr Index kNarrowColumns = 32 / static_cast<Index>(sizeof(Real));

// The transpose of a matrix of at most kNarrowColumns rows.
void to_narrow(const ConstMatrixRef& m, Real* out);

// out += a b, for a (rows x depth) and narrow b (depth) and out (rows).
void narrow_product(const RowSet& a, Index depth, const Real* b, Real* out);

// out(i, n) = |a_i - x_n|^2 for the rows of a and the columns of the narrow x (depth rows).
void narrow_squared_distances(const RowSet& a, Index depth, const Real* x, Real* out);

}  // namespace fedstein
