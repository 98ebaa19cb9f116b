// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/softmax_regression.h"

#include <cmath>

#include "fedstein/model/linear_predictor.h"
#include "fedstein/model/linear_prior.h"
#include "fedstein/model/linear_weights.h"
#include "fedstein/model/particle_pieces.h"
#include "fedstein/model/softmax.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "SoftmaxRegression";

std::shared_ptr<const LinearPrior> make_prior(const SoftmaxRegression::Options& options) {
  const double given = options.prior_deviation;
  check_argument(std::isfinite(given) && given >= 0, kName, [&] {
    return "prior_deviation is " + to_text(given) + "; it must be a finite number, 0 or above";
  });
  const double usual = std::sqrt(SoftmaxRegression::kUsualVariance / static_cast<double>(options.inputs));
  const RowVector of_class = deviations_of(
      {.inputs = options.inputs, .prior_deviation = given > 0 ? given : usual, .intercept = options.intercept});
  return std::make_shared<LinearPrior>(of_class.replicate(1, options.classes));
}

}  // namespace

SoftmaxRegression::SoftmaxRegression(const Options& options)
    : Classifier(kName, options.inputs, options.classes, options.labels, options.loss),
      intercept_(options.intercept),
      prior_(make_prior(options)),
      coefficients_({.link = Coefficients::Link::kSoftmax,
                     .inputs = options.inputs,
                     .intercept = options.intercept,
                     .predictors = options.classes}) {}

void SoftmaxRegression::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  prior_->draw(rng, particles);
}

DoubleVector SoftmaxRegression::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  return prior_->log_density(theta);
}

void SoftmaxRegression::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  prior_->add_score(theta, weight, grad);
}

// To the products, a particle's classes are as many particles.
void SoftmaxRegression::logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  const Eigen::Map<const Matrix> by_class(theta.data(), classes(), width());
  linear_predictors(by_class.leftCols(inputs()), x, out);
  if (intercept_) out.colwise() += by_class.col(inputs());
}

void SoftmaxRegression::add_back(const ConstMatrixRef& pulls, const ConstMatrixRef& x, RowRef grad) const {
  Eigen::Map<Matrix> by_class(grad.data(), classes(), width());
  add_linear_pulls(pulls, x, by_class.leftCols(inputs()));
  if (intercept_) add_pull_sums(pulls, by_class.rightCols(1));
}

void SoftmaxRegression::add_likelihood_score(const ConstMatrixRef& theta,
                                             const Batch& batch,
                                             double weight,
                                             MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch(batch);
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 2 * cost(), grad, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    Scratch pull(classes(), count);
    Scratch labels(count, 1);
    Eigen::Map<Vector> label_values(labels->data(), count);
    to_classes(batch.y.segment(first, count), label_values);
    logits(theta.row(n), x, *pull);
    loss().differentiate(label_values, *pull);
    *pull *= static_cast<Real>(-weight);
    add_back(*pull, x, out);
  });
}

void SoftmaxRegression::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension(), weight, curvature);
  prior_->add_curvature(theta, weight, curvature);
}

// For the cross-entropy the expected curvature is the exact one.
void SoftmaxRegression::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                 const Batch& batch,
                                                 double weight,
                                                 MatrixRef curvature) const {
  add_gauss_newton(theta, batch, -weight, curvature);
}

// Of class c: sum_i p_ic (1 - p_ic) x_i^2
void SoftmaxRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                         const Batch& batch,
                                         double weight,
                                         MatrixRef diagonal) const {
  check_score_arguments(kName, theta, dimension(), weight, diagonal);
  check_batch(batch);
  if (batch.rows() == 0) return;
  for_particle_pieces(batch.rows(), 2 * cost(), diagonal, [&](Index n, Index first, Index count, RowRef out) {
    const auto x = batch.x.middleRows(first, count);
    Scratch p(classes(), count);
    Scratch squares(count, inputs());
    logits(theta.row(n), x, *p);
    softmax(*p);
    p->array() *= static_cast<Real>(weight) * (1 - p->array());
    *squares = x.cwiseAbs2();
    add_back(*p, *squares, out);
  });
}

void SoftmaxRegression::answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  logits(theta, x, out);
  bounded_log_softmax(out);
}

void SoftmaxRegression::add_pull(const ConstRowRef& theta,
                                 const ConstMatrixRef& x,
                                 const ConstMatrixRef& pull,
                                 RowRef grad) const {
  Scratch out(classes(), x.rows());
  logits(theta, x, *out);
  bounded_log_softmax_pull(pull, *out);
  add_back(*out, x, grad);
}

}  // namespace fedstein
