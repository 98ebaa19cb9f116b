// SPDX-License-Identifier: Apache-2.0
// Curvatures that are never negative, from the quantities of each layer: the diagonals of Fisher's matrix.
#include <algorithm>
#include <cmath>

#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/checks.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/particle_pieces.h"
#include "fedstein/model/softmax.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kChunkRows = 1024;  // bounds the temporaries

}  // namespace

// What is positive of the exact curvature, where that is known.
void Model::add_gauss_newton(const ConstMatrixRef& theta, const Batch& batch, double weight, MatrixRef diagonal) const {
  if (!has_curvature()) refuse("gauss_newton", "this model's curvature is not known; ask has_gauss_newton() first");
  Matrix exact = Matrix::Zero(theta.rows(), theta.cols());
  add_likelihood_curvature(theta, batch, 1, exact);
  diagonal -= static_cast<Real>(weight) * exact.cwiseMin(Real{0});
}

// ---- logistic regression: sum_i p_i (1 - p_i) x_i^2

void LogisticRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                          const Batch& batch,
                                          double weight,
                                          MatrixRef diagonal) const {
  check_score_arguments("LogisticRegression", theta, dimension(), weight, diagonal);
  check_batch(batch);
  for (Index first = 0; first < batch.rows(); first += kChunkRows) {
    const Index count = std::min(kChunkRows, batch.rows() - first);
    const auto x = batch.x.middleRows(first, count);
    Scratch spread(theta.rows(), count);
    Scratch squares(count, inputs());
    spread->noalias() = theta.leftCols(inputs()) * x.transpose();
    if (options_.intercept) spread->colwise() += theta.col(inputs());
    spread->array() = spread->array().logistic();
    spread->array() *= static_cast<Real>(weight) * (1 - spread->array());
    squares->array() = x.array().square();
    diagonal.leftCols(inputs()).noalias() += *spread * *squares;
    if (options_.intercept) diagonal.col(inputs()) += spread->rowwise().sum();
  }
}

// ---- networks for classes: at the outputs C = diag(p) - p p^T, so that its part at a hidden unit with the weights w
// is the variance of w under p

void BnnClassification::add_gauss_newton(const ConstMatrixRef& theta,
                                         const Batch& batch,
                                         double weight,
                                         MatrixRef diagonal) const {
  check_score_arguments("BnnClassification", theta, dimension(), weight, diagonal);
  check_batch(batch);
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 3 * net_.cost(), diagonal, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    const auto w = net_.outer_weights(theta.row(n));
    Scratch active(count, net_.hidden());
    Scratch p(classes(), count);
    Scratch inner(count, net_.hidden());
    Scratch means(count, net_.hidden());
    net_.forward(theta.row(n), x, *active, *p);
    softmax(*p);
    means->noalias() = p->transpose() * w.transpose();
    inner->noalias() = p->transpose() * w.transpose().cwiseAbs2();
    *inner = static_cast<Real>(weight) * (*inner - means->cwiseAbs2()).cwiseMax(Real{0});
    p->array() *= static_cast<Real>(weight) * (1 - p->array());
    net_.add_gauss_newton(x, *active, *p, *inner, out);
  });
}

// ---- networks for regression: C is the noise's precision gamma; log gamma itself has 1/2 per row

void BnnRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                     const Batch& batch,
                                     double weight,
                                     MatrixRef diagonal) const {
  check_score_arguments("BnnRegression", theta, dimension(), weight, diagonal);
  check_batch_shape("BnnRegression", batch, inputs());
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 3 * net_.cost(), diagonal, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    Scratch active(count, net_.hidden());
    Scratch outer(1, count);
    Scratch inner(count, net_.hidden());
    net_.forward(theta.row(n), x, *active, *outer);
    const auto gamma = static_cast<Real>(weight * std::exp(log_precision(theta.row(n))));
    outer->setConstant(gamma);
    const RowVector squares = gamma * net_.outer_weights(theta.row(n)).transpose().cwiseAbs2();
    inner->rowwise() = squares;
    net_.add_gauss_newton(x, *active, *outer, *inner, out);
    out(net_.size()) += static_cast<Real>(weight * 0.5 * static_cast<double>(count));
  });
}

}  // namespace fedstein
