// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/linear_predictor.h"

#include "fedstein/numeric/narrow.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/thin_product.h"

namespace fedstein {
namespace {

// Up to a handful of particles, and inputs enough to fill a register: a general product would spend its time on
// packing.
bool is_narrow(Index particles, Index inputs) {
  return particles > 1 && particles <= kNarrowColumns && inputs >= fewest_columns();
}

}  // namespace

void linear_predictors(const ConstMatrixRef& w, const ConstMatrixRef& x, MatrixRef out) {
  const Index particles = w.rows();
  if (particles == 1) {
    out.row(0).transpose().noalias() = x * w.row(0).transpose();
    return;
  }
  if (!is_narrow(particles, x.cols())) {
    out.setZero();
    return add_product_transposed(1, w, x, out);
  }
  Scratch weights(x.cols(), kNarrowColumns);
  to_narrow(w, weights->data());
  Scratch by_row(x.rows(), kNarrowColumns);
  by_row->setZero();
  narrow_product({x.data(), x.rows(), x.outerStride()}, x.cols(), weights->data(), by_row->data());
  out = by_row->leftCols(particles).transpose();
}

void add_linear_pulls(const ConstMatrixRef& pulls, const ConstMatrixRef& x, MatrixRef grad) {
  if (pulls.rows() == 1) {
    grad.row(0).noalias() += pulls.row(0) * x;
  } else if (is_narrow(pulls.rows(), x.cols())) {
    const Factors factors{pulls.data(), pulls.rows(), pulls.outerStride()};
    const RowSet rows{x.data(), x.rows(), x.outerStride()};
    add_thin_product(1, factors, x.rows(), rows, x.cols(), grad.data(), grad.outerStride());
  } else {
    add_product(1, pulls, x, grad);
  }
}

void add_pull_sums(const ConstMatrixRef& pulls, MatrixRef grad) {
  for (Index n = 0; n < pulls.rows(); ++n) grad(n, 0) += static_cast<Real>(pulls.row(n).cast<double>().sum());
}

}  // namespace fedstein
