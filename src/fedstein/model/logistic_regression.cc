// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/logistic_regression.h"

#include <cmath>
#include <numbers>

#include "fedstein/model/linear_predictor.h"
#include "fedstein/model/logistic_few.h"
#include "fedstein/model/logistic_forecast.h"
#include "fedstein/model/logistic_prior.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "LogisticRegression";

}  // namespace

LogisticRegression::LogisticRegression(Index inputs, const Options& options)
    : Classifier(kName, inputs, 2, Labels::kSigned, options.loss),
      options_(options),
      prior_(make_logistic_prior(inputs, options)),
      dimension_(weights() + prior_->own_parameters()) {
  check_argument(std::isfinite(options.smoothing) && options.smoothing >= 0,
                 kName,
                 "smoothing is " + to_text(options.smoothing) + "; it must be a finite number, 0 or above");
}

void LogisticRegression::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  prior_->draw(rng, particles);
}

DoubleVector LogisticRegression::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  return prior_->log_density(theta);
}

void LogisticRegression::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  prior_->add_score(theta, weight, grad);
}

void LogisticRegression::logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  out.row(0).setZero();
  out.row(1).transpose().noalias() = x * theta.head(inputs()).transpose();
  if (options_.intercept) out.row(1).array() += theta(inputs());
}

void LogisticRegression::smooth(const ConstMatrixRef& x, MatrixRef scores) const {
  if (options_.smoothing == 0) return;
  const auto factor = static_cast<Real>(std::numbers::pi / 8 * options_.smoothing * options_.smoothing);
  const Real constant_input = options_.intercept ? 1 : 0;
  for (Index i = 0; i < x.rows(); ++i) {
    scores(1, i) /= std::sqrt(1 + factor * (x.row(i).squaredNorm() + constant_input));
  }
}

// margins (N x rows) = minus the derivative of each row's loss by w.x; for the cross-entropy y sigmoid(-y w.x).
void LogisticRegression::pulls(const ConstMatrixRef& theta, const Batch& batch, MatrixRef margins) const {
  const auto w = theta.leftCols(inputs());
  if (theta.rows() <= 2) {  // too few for a matrix product to pay off
    for (Index n = 0; n < theta.rows(); ++n) margins.row(n).transpose().noalias() = batch.x * w.row(n).transpose();
  } else {
    margins.setZero();
    add_product_transposed(1, w, batch.x, margins);
  }
  if (options_.intercept) margins.colwise() += theta.col(inputs());
  if (softmax_loss()) {
    const auto y = batch.y.transpose().array();
    for (Index n = 0; n < theta.rows(); ++n) margins.row(n).array() = y * (-y * margins.row(n).array()).logistic();
    return;
  }
  Scratch scores(2, batch.rows());
  Scratch classes(batch.rows(), 1);
  Eigen::Map<Vector> class_values(classes->data(), batch.rows());
  to_classes(batch.y, class_values);
  for (Index n = 0; n < theta.rows(); ++n) {
    scores->row(0).setZero();
    scores->row(1) = margins.row(n);
    loss().differentiate(class_values, *scores);
    margins.row(n) = -scores->row(1);
  }
}

void LogisticRegression::add_rows(const ConstMatrixRef& theta, const Batch& batch, Real weight, MatrixRef grad) const {
  if (softmax_loss() && suits_few_particles(theta.rows(), inputs())) {
    return add_few_particles(theta, options_.intercept, batch, weight, grad);
  }
  Scratch margins(theta.rows(), batch.rows());
  pulls(theta, batch, *margins);
  *margins *= weight;
  if (theta.rows() <= 2) {
    for (Index n = 0; n < theta.rows(); ++n) grad.row(n).head(inputs()).noalias() += margins->row(n) * batch.x;
  } else {
    add_product(1, *margins, batch.x, grad.leftCols(inputs()));
  }
  if (options_.intercept) grad.col(inputs()) += margins->rowwise().sum();
}

void LogisticRegression::add_likelihood_score(const ConstMatrixRef& theta,
                                              const Batch& batch,
                                              double weight,
                                              MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch(batch);
  add_in_linear_chunks(
      batch.rows(), weight, weights(), grad, [&](Index begin, Index count, Real factor, MatrixRef sum) {
        add_rows(theta, batch.middle_rows(begin, count), factor, sum);
      });
}

Forecast LogisticRegression::forecast(const ConstMatrixRef& theta, const Batch& batch) const {
  if (options_.smoothing != 0 || !suits_few_particles(theta.rows(), inputs())) {
    return Classifier::forecast(theta, batch);
  }
  check_particles(kName, theta, dimension());
  check_batch(batch);
  return forecast_few_particles(theta, options_.intercept, batch);
}

}  // namespace fedstein
