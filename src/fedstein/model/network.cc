// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/network.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// A long inner dimension is cut into slices that stay in the first-level cache: for 784 inputs and 100 hidden units
// that made the product half as fast again (54 -> 79 GFLOP/s of the 87 that a large square product reaches).
constexpr Index kInnerSlice = 256;

// The parts of a row of parameters; Row is RowVector or const RowVector.
template <typename Scalar, typename MatrixType, typename VectorType>
struct Parts {
  Parts(const Network& net, Scalar* data)
      : w1(data, net.inputs(), net.hidden()),
        b1(data + w1.size(), net.hidden()),
        w2(data + w1.size() + b1.size(), net.hidden(), net.outputs()),
        b2(data + w1.size() + b1.size() + w2.size(), net.outputs()) {}

  Eigen::Map<MatrixType> w1;
  Eigen::Map<VectorType> b1;
  Eigen::Map<MatrixType> w2;
  Eigen::Map<VectorType> b2;
};
using Weights = Parts<const Real, const Matrix, const RowVector>;
using MutableWeights = Parts<Real, Matrix, RowVector>;

}  // namespace

Network::Network(const char* name, Index inputs, Index hidden, Index outputs)
    : inputs_(inputs), hidden_(hidden), outputs_(outputs) {
  check_argument(inputs >= 1 && hidden >= 1 && outputs >= 1,
                 name,
                 "the network has " + std::to_string(inputs) + " inputs, " + std::to_string(hidden) +
                     " hidden units and " + std::to_string(outputs) + " outputs; each must be at least 1");
}

void Network::draw(Rng& rng, RowRef theta) const {
  MutableWeights net(*this, theta.data());
  rng.fill_normal(net.w1, 0, 1 / std::sqrt(static_cast<double>(inputs_ + 1)));
  net.b1.setZero();
  rng.fill_normal(net.w2, 0, 1 / std::sqrt(static_cast<double>(hidden_ + 1)));
  net.b2.setZero();
}

void Network::forward(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef active, MatrixRef out) const {
  const Weights net(*this, theta.data());
  active.rowwise() = net.b1;
  for (Index k = 0; k < inputs_; k += kInnerSlice) {
    const Index count = std::min(kInnerSlice, inputs_ - k);
    add_product(1, x.middleCols(k, count), net.w1.middleRows(k, count), active);
  }
  active = active.cwiseMax(Real{0});
  out.colwise() = net.b2.transpose();
  out.noalias() += net.w2.transpose() * active.transpose();
}

void Network::backward(const ConstRowRef& theta,
                       const ConstMatrixRef& x,
                       const ConstMatrixRef& active,
                       const ConstMatrixRef& pull,
                       RowRef grad) const {
  const Weights net(*this, theta.data());
  MutableWeights change(*this, grad.data());
  change.w2.noalias() += active.transpose() * pull.transpose();
  change.b2 += pull.rowwise().sum().transpose();
  Scratch hidden_pull(x.rows(), hidden_);
  hidden_pull->noalias() = pull.transpose() * net.w2.transpose();
  for (Index i = 0; i < x.rows(); ++i) {
    Real* row = hidden_pull->row(i).data();
    const Real* unit = active.row(i).data();
    for (Index h = 0; h < hidden_; ++h) row[h] = unit[h] > 0 ? row[h] : Real{0};
  }
  change.b1 += hidden_pull->colwise().sum();
  add_transposed_product(1, x, *hidden_pull, change.w1);
}

void Network::add_gauss_newton(const ConstMatrixRef& x,
                               const ConstMatrixRef& active,
                               const ConstMatrixRef& outer,
                               const ConstMatrixRef& inner,
                               RowRef diagonal) const {
  MutableWeights sum(*this, diagonal.data());
  Scratch counted(x.rows(), hidden_);
  Scratch squares(x.rows(), std::max(inputs_, hidden_));
  *counted = (active.array() > 0).select(inner, Real{0});
  sum.b1 += counted->colwise().sum();
  sum.b2 += outer.rowwise().sum().transpose();
  squares->leftCols(inputs_) = x.cwiseAbs2();
  sum.w1.noalias() += squares->leftCols(inputs_).transpose() * *counted;
  squares->leftCols(hidden_) = active.cwiseAbs2();
  sum.w2.noalias() += squares->leftCols(hidden_).transpose() * outer.transpose();
}

Eigen::Map<const Matrix> Network::outer_weights(const ConstRowRef& theta) const {
  return Weights(*this, theta.data()).w2;
}

}  // namespace fedstein
