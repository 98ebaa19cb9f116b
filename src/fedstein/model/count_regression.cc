// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/count_regression.h"

#include <algorithm>
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/linear_predictor.h"
#include "fedstein/model/linear_prior.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kMostCount = 16777216;  // as data/dataset.h has it
// A start that expects no count at all has a log rate of minus infinity.
constexpr double kLeastTotal = 0.5;

RowVector checked_deviations(const char* name, const LinearWeights& weights) {
  check_weights(name, weights);
  return deviations_of(weights);
}

}  // namespace

CountRegression::CountRegression(const char* name, const LinearWeights& weights)
    : name_(name),
      weights_(weights),
      prior_(std::make_shared<LinearPrior>(checked_deviations(name, weights))),
      coefficients_({.link = Coefficients::Link::kLog, .inputs = weights.inputs, .intercept = weights.intercept}) {}

CountRegression::CountRegression(const char* name, const LinearWeights& weights, const LogGamma& dispersion)
    : name_(name),
      weights_(weights),
      prior_(std::make_shared<LinearPrior>(checked_deviations(name, weights), dispersion)),
      coefficients_({.link = Coefficients::Link::kLog,
                     .inputs = weights.inputs,
                     .intercept = weights.intercept,
                     .others = {{.name = "dispersion", .parameter = weights.count(), .factor = 1}}}) {}

Index CountRegression::dimension() const {
  return prior_->size();
}

double CountRegression::offset(const ConstRowRef& theta) const {
  return weights_.intercept ? static_cast<double>(theta(inputs())) : 0;
}

double CountRegression::log_dispersion(const ConstRowRef& theta) const {
  return dimension() > weights_.count() ? static_cast<double>(theta(weights_.count())) : 0;
}

void CountRegression::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(name_, particles, dimension());
  prior_->draw(rng, particles);
}

DoubleVector CountRegression::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(name_, theta, dimension());
  return prior_->log_density(theta);
}

void CountRegression::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(name_, theta, dimension(), weight, grad);
  prior_->add_score(theta, weight, grad);
}

void CountRegression::check_counts(const Batch& batch) const {
  check_batch_shape(name_, batch, inputs());
  for (Index i = 0; i < batch.rows(); ++i) {
    const auto count = static_cast<double>(batch.y(i));
    if (count >= 0 && count <= kMostCount && count == std::floor(count)) continue;
    check_argument(false,
                   name_,
                   "the label of row " + std::to_string(i) + " is " + to_text(count) +
                       "; it must be a count, a whole number from 0 to " + to_text(kMostCount));
  }
}

void CountRegression::check_data(const Batch& batch) const {
  check_counts(batch);
  check_finite(name_, "x", batch.x);
}

void CountRegression::outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const {
  out.noalias() = x * theta.head(inputs()).transpose();
}

double CountRegression::log_likelihood_of(double log_dispersion, double count, double log_rate) const {
  if (!(log_rate > kMostLogRate)) return log_probability(log_dispersion, count, log_rate);
  return log_probability(log_dispersion, count, kMostLogRate) +
         rate_slope(log_dispersion, count, std::exp(kMostLogRate)) * (log_rate - kMostLogRate);
}

DoubleVector CountRegression::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(name_, theta, dimension());
  check_counts(batch);
  return sum_over_rows(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    outputs(theta.row(n), batch.x.middleRows(begin, count), values);
    const double b = offset(theta.row(n));
    const double psi = log_dispersion(theta.row(n));
    double sum = 0;
    for (Index i = 0; i < count; ++i) {
      sum += log_likelihood_of(psi, static_cast<double>(batch.y(begin + i)), static_cast<double>(values(i)) + b);
    }
    return sum;
  });
}

void CountRegression::add_rows(const ConstMatrixRef& theta, const Batch& batch, Real weight, MatrixRef grad) const {
  Scratch pulls(theta.rows(), batch.rows());
  linear_predictors(theta.leftCols(inputs()), batch.x, *pulls);
  for (Index n = 0; n < theta.rows(); ++n) {
    Eigen::Map<Vector> values(pulls->row(n).data(), batch.rows());
    const double slope = differentiate({log_dispersion(theta.row(n)), offset(theta.row(n)), batch.y}, values);
    if (dimension() == weights_.count()) continue;
    grad(n, weights_.count()) += static_cast<Real>(static_cast<double>(weight) * slope);
  }
  *pulls *= weight;
  add_linear_pulls(*pulls, batch.x, grad.leftCols(inputs()));
  if (weights_.intercept) add_pull_sums(*pulls, grad.middleCols(inputs(), 1));
}

void CountRegression::add_likelihood_score(const ConstMatrixRef& theta,
                                           const Batch& batch,
                                           double weight,
                                           MatrixRef grad) const {
  check_score_arguments(name_, theta, dimension(), weight, grad);
  check_batch_shape(name_, batch, inputs());
  add_in_linear_chunks(
      batch.rows(), weight, dimension(), grad, [&](Index begin, Index count, Real factor, MatrixRef sum) {
        add_rows(theta, batch.middle_rows(begin, count), factor, sum);
      });
}

void CountRegression::add_information(const ConstMatrixRef& theta,
                                      const Batch& batch,
                                      double weight,
                                      MatrixRef diagonal) const {
  check_score_arguments(name_, theta, dimension(), weight, diagonal);
  check_batch_shape(name_, batch, inputs());
  const auto add = [&](Index begin, Index count, Real factor, MatrixRef sum) {
    const auto x = batch.x.middleRows(begin, count);
    Scratch spread(theta.rows(), count);
    Scratch squares(count, inputs());
    linear_predictors(theta.leftCols(inputs()), x, *spread);
    for (Index n = 0; n < theta.rows(); ++n) {
      const double b = offset(theta.row(n));
      const double psi = log_dispersion(theta.row(n));
      for (Real& value : spread->row(n)) {
        const double rate = std::exp(std::min(static_cast<double>(value) + b, kMostLogRate));
        value = factor * static_cast<Real>(rate_information(psi, rate));
      }
    }
    *squares = x.cwiseAbs2();
    add_linear_pulls(*spread, *squares, sum.leftCols(inputs()));
    if (weights_.intercept) add_pull_sums(*spread, sum.middleCols(inputs(), 1));
  };
  add_in_linear_chunks(batch.rows(), weight, weights_.count(), diagonal, add);
}

void CountRegression::fit_start(const Batch& batch, MatrixRef particles) const {
  check_particles(name_, particles, dimension());
  check_data(batch);
  if (batch.rows() == 0 || !weights_.intercept) return;
  const DoubleVector expected = sum_over_rows(particles.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    outputs(particles.row(n), batch.x.middleRows(begin, count), values);
    return values.cast<double>().array().min(kMostLogRate).exp().sum();
  });
  const double total = std::max(kLeastTotal, batch.y.cast<double>().sum());
  for (Index n = 0; n < particles.rows(); ++n) {
    particles(n, inputs()) = static_cast<Real>(std::log(total / expected(n)));
  }
}

void CountRegression::answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const {
  out.row(0).transpose().noalias() = x * theta.head(inputs()).transpose();
  out.row(0).array() += static_cast<Real>(offset(theta));
}

void CountRegression::add_pull(const ConstRowRef& /*theta*/,
                               const ConstMatrixRef& x,
                               const ConstMatrixRef& pull,
                               RowRef grad) const {
  grad.head(inputs()).noalias() += pull.row(0) * x;
  if (weights_.intercept) grad(inputs()) += pull.row(0).sum();
}

}  // namespace fedstein
