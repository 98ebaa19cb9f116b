// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/log_density_model.h"

#include <cmath>
#include <numbers>

#include "fedstein/model/checks.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kName = "LogDensityModel";

}  // namespace

LogDensityModel::LogDensityModel(const LogDensityParts& parts) : parts_(parts) {
  check_argument(
      parts.dimension >= 1, kName, "dimension is " + std::to_string(parts.dimension) + "; it must be at least 1");
  check_argument(parts.inputs >= 1, kName, "inputs is " + std::to_string(parts.inputs) + "; it must be at least 1");
  check_positive(kName, "prior_deviation", parts.prior_deviation);
  check_argument(
      parts.log_likelihood && parts.add_score, kName, "log_likelihood or add_score is empty; both are needed");
}

void LogDensityModel::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  rng.fill_normal(particles, 0, parts_.prior_deviation);
}

DoubleVector LogDensityModel::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  const double variance = parts_.prior_deviation * parts_.prior_deviation;
  const double peak = -0.5 * static_cast<double>(dimension()) * std::log(2 * std::numbers::pi * variance);
  return (peak - theta.cast<double>().rowwise().squaredNorm().array() / (2 * variance)).matrix();
}

void LogDensityModel::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  grad -= static_cast<Real>(weight / (parts_.prior_deviation * parts_.prior_deviation)) * theta;
}

void LogDensityModel::check_data(const Batch& batch) const {
  check_batch_shape(kName, batch, parts_.inputs);
  check_finite(kName, "x", batch.x);
  check_finite(kName, "y", Eigen::Map<const Matrix>(batch.y.data(), batch.y.size(), 1));
}

DoubleVector LogDensityModel::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension());
  check_batch_shape(kName, batch, parts_.inputs);
  return sum_over_rows(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    double sum = 0;
    for (Index i = begin; i < begin + count; ++i)
      sum += parts_.log_likelihood(theta.row(n), batch.x.row(i), batch.y(i));
    return sum;
  });
}

void LogDensityModel::add_likelihood_score(const ConstMatrixRef& theta,
                                           const Batch& batch,
                                           double weight,
                                           MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch_shape(kName, batch, parts_.inputs);
  for (Index n = 0; n < theta.rows(); ++n) {
    for (Index i = 0; i < batch.rows(); ++i) {
      parts_.add_score(theta.row(n), batch.x.row(i), batch.y(i), static_cast<Real>(weight), grad.row(n));
    }
  }
}

DoubleVector LogDensityModel::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension());
  check_batch_shape(kName, batch, parts_.inputs);
  return log_mean_over_particles(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n, auto out) {
    for (Index i = 0; i < count; ++i) {
      out(i) = parts_.log_likelihood(theta.row(n), batch.x.row(begin + i), batch.y(begin + i));
    }
  });
}

}  // namespace fedstein
