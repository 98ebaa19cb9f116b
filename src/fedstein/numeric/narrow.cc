// SPDX-License-Identifier: Apache-2.0

// Without AVX a row is two registers, and passing one by value would depend on the compiler's flags. Nothing here is
// called from outside this file. Before the headers, because the templates of lanes.h are meant too.
#pragma GCC diagnostic ignored "-Wpsabi"

#include "fedstein/numeric/narrow.h"

#include <algorithm>

#include "fedstein/numeric/lanes.h"

namespace fedstein {
namespace {

typedef Real Narrow __attribute__((vector_size(kNarrowColumns * sizeof(Real))));  // NOLINT: see lanes.h
constexpr int kTall = 8;  // sums at a time: enough to hide the latency of an addition

struct AddProduct {
  static Narrow start(const Real* out) { return load_register<Narrow>(out); }
  static Narrow add(const Narrow& sum, Real a, const Narrow& b) { return sum + a * b; }
};

struct SquaredDistance {
  static Narrow start(const Real*) { return Narrow{}; }
  static Narrow add(const Narrow& sum, Real a, const Narrow& x) {
    const Narrow gap = x - a;
    return sum + gap * gap;
  }
};

template <typename Term, int kRows>
void tile(const RowSet& a, Index i, Index depth, const Real* b, Real* out) {
  Narrow sums[kRows];
  const Real* rows[kRows];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    sums[r] = Term::start(out + (i + r) * kNarrowColumns);
    rows[r] = a.data + (i + r) * a.stride;
  }
  for (Index p = 0; p < depth; ++p) {
    const Narrow row = load_register<Narrow>(b + p * kNarrowColumns);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) sums[r] = Term::add(sums[r], rows[r][p], row);
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) store_register(sums[r], out + (i + r) * kNarrowColumns);
}

template <typename Term>
void for_rows(const RowSet& a, Index depth, const Real* b, Real* out) {
  Index i = 0;
  for (; i + kTall <= a.count; i += kTall) tile<Term, kTall>(a, i, depth, b, out);
  for (; i + 4 <= a.count; i += 4) tile<Term, 4>(a, i, depth, b, out);
  for (; i + 2 <= a.count; i += 2) tile<Term, 2>(a, i, depth, b, out);
  for (; i < a.count; ++i) tile<Term, 1>(a, i, depth, b, out);
}

}  // namespace

void to_narrow(const ConstMatrixRef& m, Real* out) {
  const Index rows = m.rows();
  if (rows < kNarrowColumns) std::fill_n(out, m.cols() * kNarrowColumns, Real{0});
  for (Index n = 0; n < rows; ++n) {
    const Real* from = m.data() + n * m.outerStride();
    for (Index k = 0; k < m.cols(); ++k) out[k * kNarrowColumns + n] = from[k];
  }
}

void narrow_product(const RowSet& a, Index depth, const Real* b, Real* out) {
  for_rows<AddProduct>(a, depth, b, out);
}

void narrow_squared_distances(const RowSet& a, Index depth, const Real* x, Real* out) {
  for_rows<SquaredDistance>(a, depth, x, out);
}

}  // namespace fedstein
