// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/poisson_regression.h"

#include <algorithm>
#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/count_rates.h"
#include "fedstein/model/count_terms.h"
#include "fedstein/model/linear_prior.h"

namespace fedstein {

PoissonRegression::PoissonRegression(const LinearWeights& weights) : CountRegression("PoissonRegression", weights) {}

double PoissonRegression::log_probability(double /*log_dispersion*/, double count, double log_rate) const {
  return (count > 0 ? count * log_rate : 0) - std::exp(log_rate) - log_factorial(count);
}

double PoissonRegression::variance(double /*log_dispersion*/, double rate) const {
  return rate;
}

double PoissonRegression::probability_up_to(double log_dispersion, double count, double log_rate) const {
  return poisson_cumulative(count, std::exp(log_rate), log_probability(log_dispersion, count, log_rate));
}

double PoissonRegression::rate_slope(double /*log_dispersion*/, double count, double rate) const {
  return count - rate;
}

double PoissonRegression::differentiate(const Rows& rows, VectorRef values) const {
  for_count_rates(rows.offset, kMostLogRate, values, [&](Index i, double rate, double /*beyond*/) {
    values(i) = static_cast<Real>(static_cast<double>(rows.counts(i)) - rate);
  });
  return 0;
}

double PoissonRegression::rate_information(double /*log_dispersion*/, double rate) const {
  return rate;
}

void PoissonRegression::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments(name(), theta, dimension(), weight, curvature);
  prior().add_curvature(theta, weight, curvature);
}

// The expected curvature is the exact one up to kMostLogRate; there it stays, where the likelihood's tangent has none.
void PoissonRegression::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                 const Batch& batch,
                                                 double weight,
                                                 MatrixRef curvature) const {
  add_information(theta, batch, -weight, curvature);
}

void PoissonRegression::add_gauss_newton(const ConstMatrixRef& theta,
                                         const Batch& batch,
                                         double weight,
                                         MatrixRef diagonal) const {
  add_information(theta, batch, weight, diagonal);
}

}  // namespace fedstein
