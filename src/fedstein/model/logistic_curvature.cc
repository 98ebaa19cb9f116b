// SPDX-License-Identifier: Apache-2.0
// Second derivatives of logistic regression, and how its answers follow its weights.
#include <algorithm>
#include <cmath>

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

void LogisticRegression::add_prior_information(const ConstRowRef& theta,
                                               double weight,
                                               DoubleMatrix& information) const {
  prior_->add_information(theta, weight, information);
}

// sum_i p_i (1 - p_i) x_i x_i', a constant input behind the others.
void LogisticRegression::add_likelihood_information(const ConstRowRef& theta,
                                                    const Batch& batch,
                                                    double weight,
                                                    DoubleMatrix& information) const {
  check_batch(batch);
  const Index inputs = this->inputs();
  const DoubleVector w = theta.head(inputs).transpose().cast<double>();
  const double constant = options_.intercept ? static_cast<double>(theta(inputs)) : 0;
  DoubleMatrix sum = DoubleMatrix::Zero(weights(), weights());
  DoubleMatrix x(std::min(kChunkRows, batch.rows()), weights());
  for (Index first = 0; first < batch.rows(); first += kChunkRows) {
    const Index count = std::min(kChunkRows, batch.rows() - first);
    auto rows = x.topRows(count);
    rows.leftCols(inputs) = batch.x.middleRows(first, count).cast<double>();
    if (options_.intercept) rows.col(inputs).setOnes();
    for (Index i = 0; i < count; ++i) {
      const double half = (rows.row(i).head(inputs).dot(w) + constant) / 2;
      rows.row(i) /= 2 * std::cosh(half);  // sqrt(p (1 - p))
    }
    sum.noalias() += rows.transpose() * rows;
  }
  information.topLeftCorner(weights(), weights()) += weight * sum;
}

std::optional<Index> LogisticRegression::intercept(Index /*predictor*/) const {
  return options_.intercept ? std::optional<Index>(inputs()) : std::nullopt;
}

std::vector<Coefficients::Other> LogisticRegression::others() const {
  if (options_.prior != Prior::kGamma) return {};
  return {{.name = "precision of the weights", .parameter = weights(), .factor = 1}};
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
