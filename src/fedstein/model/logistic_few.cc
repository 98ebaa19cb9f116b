// SPDX-License-Identifier: Apache-2.0
//
// Everything lies by data row, the particles side by side and filled up to kNarrowColumns with zero weights: margins
// come from one narrow product, exponentials and divisions in whole registers, and the gradient from one thin product.
#include "fedstein/model/logistic_few.h"

#include <algorithm>

#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/narrow.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/numeric/thin_product.h"

namespace fedstein {
namespace {

constexpr Real kLargestExponent = 80;  // its exponential is finite, and its inverse no different from 0

using Side = Eigen::Array<Real, kNarrowColumns, 1>;  // a value for each particle
using SideMap = Eigen::Map<Side>;

// margins_i = y_i margins_i, bounded.
void to_exponents(const ConstVectorRef& y, Real* margins) {
  for (Index i = 0; i < y.size(); ++i) {
    SideMap margin(margins + i * kNarrowColumns);
    margin = (margin * y(i)).min(kLargestExponent);
  }
}

// exponentials_i = weight y_i / (1 + exponentials_i).
void to_pulls(const ConstVectorRef& y, Real weight, Real* exponentials) {
  for (Index i = 0; i < y.size(); ++i) {
    SideMap value(exponentials + i * kNarrowColumns);
    value = Side::Constant(weight * y(i)) / (1 + value);
  }
}

}  // namespace

bool suits_few_particles(Index particles, Index inputs) {
  return particles <= kNarrowColumns && particles > 1 && inputs >= fewest_columns();
}

void add_few_particles(const ConstMatrixRef& theta, bool intercept, const Batch& batch, Real weight, MatrixRef grad) {
  const Index particles = theta.rows();
  const Index inputs = batch.x.cols();
  const Index rows = batch.rows();
  Scratch w(inputs, kNarrowColumns);
  to_narrow(theta.leftCols(inputs), w->data());
  Scratch pulls(rows, kNarrowColumns);
  pulls->setZero();
  if (intercept) pulls->leftCols(particles).rowwise() = theta.col(inputs).transpose();
  narrow_product({batch.x.data(), rows, batch.x.outerStride()}, inputs, w->data(), pulls->data());
  to_exponents(batch.y, pulls->data());
  exp_in_place(pulls->data(), pulls->size());
  to_pulls(batch.y, weight, pulls->data());

  const Factors by_row{pulls->data(), particles, 1, kNarrowColumns};
  const RowSet x{batch.x.data(), rows, batch.x.outerStride()};
  add_thin_product(1, by_row, rows, x, inputs, grad.data(), grad.outerStride());
  if (intercept) grad.col(inputs) += pulls->leftCols(particles).colwise().sum().transpose();
}

}  // namespace fedstein
