// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/product.h"

#include <algorithm>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/numeric/thin_product.h"

namespace fedstein {
namespace {

// The buffers and block sizes of one product, as Eigen would choose them. A row-major result is computed as the
// transposed product in column-major order, hence the exchange of rows and columns.
class ScratchBlocking : public Eigen::internal::level3_blocking<Real, Real> {
 public:
  ScratchBlocking(Index rows, Index columns, Index depth) : ScratchBlocking(sizes(rows, columns, depth)) {}

 private:
  struct Sizes {
    Index mc, nc, kc;
  };

  static Sizes sizes(Index rows, Index columns, Index depth) {
    Sizes s{columns, rows, depth};
    Eigen::internal::computeProductBlockingSizes<Real, Real>(s.kc, s.mc, s.nc, Index{1});
    return s;
  }

  explicit ScratchBlocking(const Sizes& s) : buffer_a_(1, s.kc * s.mc), buffer_b_(1, s.kc * s.nc) {
    m_mc = s.mc;
    m_nc = s.nc;
    m_kc = s.kc;
    m_blockA = buffer_a_->data();
    m_blockB = buffer_b_->data();
  }

  Scratch buffer_a_;
  Scratch buffer_b_;
};

// Below this sum of sizes packing costs more than it saves; Eigen's own threshold.
constexpr Index kTiny = 20;

// So few rows that packing b would take as long as using it once for each of them.
constexpr Index kThinRows = 32;
constexpr Index kThinDepth = 128;  // of b, of which a column of registers should stay in the first-level cache

bool is_thin(const ConstMatrixRef& a, Index columns) {
  return a.rows() <= kThinRows && a.cols() <= kThinDepth && columns >= fewest_columns();
}

// The transposed form sums along the rows, and so wants them long.
bool is_thin_transposed(const ConstMatrixRef& a) {
  return a.rows() <= kThinRows && a.cols() >= fewest_columns() && a.cols() <= kThinDepth;
}

RowSet rows_of(const ConstMatrixRef& m) {
  return {m.data(), m.rows(), m.outerStride()};
}

template <int kOrderOfA, int kOrderOfB>
void multiply(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, Index depth, MatrixRef out) {
  using Gemm = Eigen::internal::
      general_matrix_matrix_product<Index, Real, kOrderOfA, false, Real, kOrderOfB, false, Eigen::RowMajor, 1>;
  ScratchBlocking blocking(out.rows(), out.cols(), depth);
  Gemm::run(out.rows(),
            out.cols(),
            depth,
            a.data(),
            a.outerStride(),
            b.data(),
            b.outerStride(),
            out.data(),
            1,
            out.outerStride(),
            factor,
            blocking,
            nullptr);
}

void check_shapes(const ConstMatrixRef& a, Index depth_of_b, Index columns, const ConstMatrixRef& out) {
  check_argument(a.cols() == depth_of_b && out.rows() == a.rows() && out.cols() == columns, "add_product", [&] {
    return "a is " + shape_of(a) + ", b has " + std::to_string(depth_of_b) + " rows to multiply it with and " +
           std::to_string(columns) + " columns, out is " + shape_of(out) + "; these do not fit";
  });
}

}  // namespace

void add_product(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) {
  check_shapes(a, b.rows(), b.cols(), out);
  if (out.size() == 0 || a.cols() == 0) return;
  if (out.cols() == 1) {
    out.col(0).noalias() += factor * a * b.col(0);
  } else if (is_thin(a, b.cols())) {
    add_thin_product(
        factor, {a.data(), a.rows(), a.outerStride()}, a.cols(), rows_of(b), b.cols(), out.data(), out.outerStride());
  } else if (a.rows() + a.cols() + b.cols() < kTiny) {
    out += factor * a.lazyProduct(b);
  } else {
    multiply<Eigen::RowMajor, Eigen::RowMajor>(factor, a, b, a.cols(), out);
  }
}

void add_product_transposed(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) {
  check_shapes(a, b.cols(), b.rows(), out);
  if (out.size() == 0 || a.cols() == 0) return;
  if (is_thin_transposed(a)) {
    add_pair_products(factor, rows_of(a), rows_of(b), a.cols(), out.data(), out.outerStride());
  } else if (a.rows() + a.cols() + b.rows() < kTiny) {
    out += factor * a.lazyProduct(b.transpose());
  } else {
    // b row-major, transposed, is column-major as it lies.
    multiply<Eigen::RowMajor, Eigen::ColMajor>(factor, a, b, a.cols(), out);
  }
}

void add_transposed_product(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) {
  check_argument(a.rows() == b.rows() && out.rows() == a.cols() && out.cols() == b.cols(), "add_product", [&] {
    return "a is " + shape_of(a) + " and transposed, b is " + shape_of(b) + ", out is " + shape_of(out) +
           "; these do not fit";
  });
  if (out.size() == 0 || a.rows() == 0) return;
  // a row-major, transposed, is column-major as it lies.
  multiply<Eigen::ColMajor, Eigen::RowMajor>(factor, a, b, a.rows(), out);
}

namespace {

// Calls body(m) for every numbers[m] that is not zero; looks at stretches of zeros as a whole.
template <typename Body>
void for_others_than_zero(const Real* numbers, Index count, const Body& body) {
  constexpr Index kStretch = 32;
  for (Index begin = 0; begin < count; begin += kStretch) {
    const Index end = std::min(begin + kStretch, count);
    if (end - begin == kStretch) {
      int others = 0;
      for (Index k = 0; k < kStretch; ++k) others += numbers[begin + k] != Real{0} ? 1 : 0;
      if (others == 0) continue;
    }
    for (Index m = begin; m < end; ++m) {
      if (numbers[m] != Real{0}) body(m);
    }
  }
}

}  // namespace

// Adding a row to another costs what a product needs for some ten of them.
WeightedRows::WeightedRows(const ConstMatrixRef& weights)
    : weights_(weights),
      sparse_(weights.rows() > kThinRows && 16 * (weights.array() != Real{0}).count() < weights.size()) {}

void WeightedRows::add(const ConstMatrixRef& rows, MatrixRef out) const {
  if (!sparse_) return add_product(1, weights_, rows, out);
  check_shapes(weights_, rows.rows(), rows.cols(), out);
  for (Index i = 0; i < weights_.rows(); ++i) {
    const Real* of_row = weights_.row(i).data();
    for_others_than_zero(of_row, weights_.cols(), [&](Index m) { out.row(i) += of_row[m] * rows.row(m); });
  }
}

}  // namespace fedstein
