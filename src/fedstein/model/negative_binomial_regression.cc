// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/negative_binomial_regression.h"

#include <algorithm>
#include <cmath>

#include "fedstein/model/count_rates.h"
#include "fedstein/model/count_terms.h"
#include "fedstein/model/linear_prior.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "NegativeBinomialRegression";
constexpr double kLeastDispersion = 0.01;  // of a start: beyond both, the prior's pull is all there is
constexpr double kMostDispersion = 10;
// Below, a Poisson's to the last digit whatever the count; above, exp(alpha) would be no number under any prior.
constexpr double kLeastLogDispersion = -60;
constexpr double kMostLogDispersion = 300;

double dispersion_at(double log_dispersion) {
  return std::exp(std::min(std::max(log_dispersion, kLeastLogDispersion), kMostLogDispersion));
}

LogGamma dispersion_prior(const NegativeBinomialRegression::Options& options) {
  check_positive(kName, "dispersion_shape", options.dispersion_shape);
  check_positive(kName, "dispersion_rate", options.dispersion_rate);
  return {options.dispersion_shape, options.dispersion_rate};
}

}  // namespace

NegativeBinomialRegression::NegativeBinomialRegression(const Options& options)
    : CountRegression(kName, options.weights, dispersion_prior(options)) {}

double NegativeBinomialRegression::log_probability(double log_dispersion, double count, double log_rate) const {
  const double alpha = dispersion_at(log_dispersion);
  return rise_log(1 / alpha, count) + (count > 0 ? count * log_rate : 0) -
         (count + 1 / alpha) * std::log1p(alpha * std::exp(log_rate)) - log_factorial(count);
}

double NegativeBinomialRegression::variance(double log_dispersion, double rate) const {
  return rate + dispersion_at(log_dispersion) * rate * rate;
}

double NegativeBinomialRegression::probability_up_to(double log_dispersion, double count, double log_rate) const {
  return negative_binomial_cumulative(
      count, std::exp(log_rate), 1 / dispersion_at(log_dispersion), log_probability(log_dispersion, count, log_rate));
}

double NegativeBinomialRegression::rate_slope(double log_dispersion, double count, double rate) const {
  return (count - rate) / (1 + dispersion_at(log_dispersion) * rate);
}

// With q = alpha m / (1 + alpha m):  d/d log alpha = sum_{k<y} k/(r+k) + r log(1 + alpha m) - (y + r) q. Beyond the
// greatest log rate the tangent's own slope changes with alpha, by -(y - m) q / (1 + alpha m).
double NegativeBinomialRegression::differentiate(const Rows& rows, VectorRef values) const {
  const double alpha = dispersion_at(rows.log_dispersion);
  const double size = 1 / alpha;
  double sum = 0;
  for_count_rates(rows.offset, kMostLogRate, values, [&](Index i, double rate, double beyond) {
    const auto count = static_cast<double>(rows.counts(i));
    const double share = 1 / (1 + alpha * rate);
    const double q = alpha * rate * share;
    const double slope = (count - rate) * share;
    sum += rise_slope(size, count) + size * std::log1p(alpha * rate) - (count + size) * q - beyond * slope * q;
    values(i) = static_cast<Real>(slope);
  });
  return sum;
}

double NegativeBinomialRegression::rate_information(double log_dispersion, double rate) const {
  return rate / (1 + dispersion_at(log_dispersion) * rate);
}

double NegativeBinomialRegression::dispersion_information(const ConstRowRef& theta, const Batch& batch) const {
  const double alpha = dispersion_at(log_dispersion(theta));
  const double size = 1 / alpha;
  double exact = 0;
  double least = 0;
  for (Index begin = 0; begin < batch.rows(); begin += kEvaluationRows) {
    const Index count = std::min(kEvaluationRows, batch.rows() - begin);
    Scratch scratch(count, 1);
    Eigen::Map<Vector> values(scratch->data(), count);
    outputs(theta, batch.x.middleRows(begin, count), values);
    for_count_rates(offset(theta), kMostLogRate, values, [&](Index i, double rate, double /*beyond*/) {
      const auto y = static_cast<double>(batch.y(begin + i));
      const double share = 1 / (1 + alpha * rate);
      const double q = alpha * rate * share;
      exact += (y + size) * q * share + size * (std::log1p(alpha * rate) - 2 * q) - rise_bend(size, y);
      if (rate > 0) least += q * q / (2 + 6 * alpha + share / rate);
    });
  }
  return std::max(exact, least);
}

void NegativeBinomialRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                                  const Batch& batch,
                                                  double weight,
                                                  MatrixRef diagonal) const {
  add_information(theta, batch, weight, diagonal);
  for (Index n = 0; n < theta.rows(); ++n) {
    diagonal(n, weight_dimension()) += static_cast<Real>(weight * dispersion_information(theta.row(n), batch));
  }
}

// By moments: the sum of (y - m)^2 - m is alpha times that of m^2 on average.
void NegativeBinomialRegression::fit_start(const Batch& batch, MatrixRef particles) const {
  CountRegression::fit_start(batch, particles);
  if (batch.rows() == 0) return;
  for (Index n = 0; n < particles.rows(); ++n) {
    const ConstRowRef theta = particles.row(n);
    double excess = 0;
    double squares = 0;
    for (Index begin = 0; begin < batch.rows(); begin += kEvaluationRows) {
      const Index count = std::min(kEvaluationRows, batch.rows() - begin);
      Scratch scratch(count, 1);
      Eigen::Map<Vector> values(scratch->data(), count);
      outputs(theta, batch.x.middleRows(begin, count), values);
      for_count_rates(offset(theta), kMostLogRate, values, [&](Index i, double rate, double /*beyond*/) {
        const double gap = static_cast<double>(batch.y(begin + i)) - rate;
        excess += gap * gap - rate;
        squares += rate * rate;
      });
    }
    const double alpha = std::clamp(excess / squares, kLeastDispersion, kMostDispersion);
    particles(n, weight_dimension()) = static_cast<Real>(std::log(alpha));
  }
}

}  // namespace fedstein
