// SPDX-License-Identifier: Apache-2.0
// Eigen's matrix products with their packing buffers on our scratch stack: Eigen itself takes them from the heap, on
// every call, as soon as they exceed 128 KiB.
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// out += factor * a * b, for a (m x k), b (k x n), out (m x n). out must not overlap a or b.
void add_product(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out);

// out += factor * a * b^T, for a (m x k), b (n x k), out (m x n).
void add_product_transposed(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out);

// out += factor * a^T * b, for a (k x m), b (k x n), out (m x n).
void add_transposed_product(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out);

// Weighted sums of rows, out_i += sum_m weights(i, m) rows_m: add_product(1, weights, rows, out), but where nearly all
// weights are exactly zero (particles many bandwidths apart) only the others are touched. Borrows the weights.
class WeightedRows {
 public:
  explicit WeightedRows(const ConstMatrixRef& weights);
  // For some columns of the rows, and the same of out.
  void add(const ConstMatrixRef& rows, MatrixRef out) const;

 private:
  ConstMatrixRef weights_;
  bool sparse_;
};

}  // namespace fedstein
