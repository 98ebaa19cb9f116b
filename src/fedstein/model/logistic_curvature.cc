// SPDX-License-Identifier: Apache-2.0
// Second derivatives of logistic regression, and how its answers follow its weights.
#include <algorithm>

#include "fedstein/model/logistic_prior.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/model/softmax.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "LogisticRegression";
constexpr Index kChunkRows = 1024;  // bounds the temporaries

}  // namespace

void LogisticRegression::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension(), weight, curvature);
  prior_->add_curvature(theta, weight, curvature);
}

// For the cross-entropy the expected curvature is the exact one.
void LogisticRegression::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                  const Batch& batch,
                                                  double weight,
                                                  MatrixRef curvature) const {
  add_gauss_newton(theta, batch, -weight, curvature);
}

// sum_i p_i (1 - p_i) x_i^2
void LogisticRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                          const Batch& batch,
                                          double weight,
                                          MatrixRef diagonal) const {
  check_score_arguments(kName, theta, dimension(), weight, diagonal);
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

void LogisticRegression::answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  logits(theta, x, out);
  bounded_log_softmax(out);
}

void LogisticRegression::add_pull(const ConstRowRef& theta,
                                  const ConstMatrixRef& x,
                                  const ConstMatrixRef& pull,
                                  RowRef grad) const {
  Scratch out(2, x.rows());
  logits(theta, x, *out);
  bounded_log_softmax_pull(pull, *out);
  grad.head(inputs()).noalias() += out->row(1) * x;
  if (options_.intercept) grad(inputs()) += out->row(1).sum();
}

}  // namespace fedstein
