// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/product.h"

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

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

template <int kOrderOfB>
void multiply(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, Index depth, MatrixRef out) {
  using Gemm = Eigen::internal::
      general_matrix_matrix_product<Index, Real, Eigen::RowMajor, false, Real, kOrderOfB, false, Eigen::RowMajor, 1>;
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
  check(a.cols() == depth_of_b && out.rows() == a.rows() && out.cols() == columns, "add_product", [&] {
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
  } else if (a.rows() + a.cols() + b.cols() < kTiny) {
    out += factor * a.lazyProduct(b);
  } else {
    multiply<Eigen::RowMajor>(factor, a, b, a.cols(), out);
  }
}

void add_product_transposed(Real factor, const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) {
  check_shapes(a, b.cols(), b.rows(), out);
  if (out.size() == 0 || a.cols() == 0) return;
  if (a.rows() + a.cols() + b.rows() < kTiny) {
    out += factor * a.lazyProduct(b.transpose());
  } else {
    // b row-major, transposed, is column-major as it lies.
    multiply<Eigen::ColMajor>(factor, a, b, a.cols(), out);
  }
}

}  // namespace fedstein
