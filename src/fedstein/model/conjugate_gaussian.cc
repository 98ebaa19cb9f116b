// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/conjugate_gaussian.h"

#include <cmath>

#include "fedstein/model/checks.h"
#include "fedstein/model/row_blocks.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr const char* kName = "ConjugateGaussian";

// log N(x; theta, covariance of the noise)
double log_density(const GaussianDensity& noise, const ConstRowRef& x, const ConstRowRef& theta) {
  Scratch gap(1, x.size());
  gap->row(0) = x - theta;
  return noise.log_density(gap->row(0));
}

}  // namespace

ConjugateGaussian::ConjugateGaussian(const Gaussian& prior, const DoubleMatrix& noise_covariance)
    : prior_(prior), noise_({DoubleVector::Zero(noise_covariance.rows()), noise_covariance}) {
  check_argument(noise_.dimension() == prior_.dimension(),
                 kName,
                 "the noise covariance has " + std::to_string(noise_.dimension()) + " rows; it must have " +
                     std::to_string(prior_.dimension()) + ", as the prior");
}

Gaussian ConjugateGaussian::posterior(const ConstMatrixRef& x, double temperature) const {
  check_columns(kName, "x", x, dimension());
  check_positive(kName, "temperature", temperature);
  const double count = static_cast<double>(x.rows()) / temperature;
  const DoubleVector sum = x.cast<double>().colwise().sum().transpose() / temperature;
  const DoubleMatrix precision = prior_.precision() + count * noise_.precision();
  const Eigen::LLT<DoubleMatrix> cholesky(precision);
  const DoubleMatrix covariance = cholesky.solve(DoubleMatrix::Identity(dimension(), dimension()));
  return {cholesky.solve(prior_.precision() * prior_.mean() + noise_.precision() * sum),
          0.5 * (covariance + covariance.transpose())};
}

void ConjugateGaussian::draw_prior(Rng& rng, MatrixRef particles) const {
  check_particles(kName, particles, dimension());
  for (Index n = 0; n < particles.rows(); ++n) prior_.draw(rng, particles.row(n));
}

DoubleVector ConjugateGaussian::prior_log_density(const ConstMatrixRef& theta) const {
  check_particles(kName, theta, dimension());
  DoubleVector result(theta.rows());
  for (Index n = 0; n < theta.rows(); ++n) result(n) = prior_.log_density(theta.row(n));
  return result;
}

void ConjugateGaussian::add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  for (Index n = 0; n < theta.rows(); ++n) prior_.add_score(theta.row(n), weight, grad.row(n));
}

void ConjugateGaussian::check_data(const Batch& batch) const {
  check_batch_shape(kName, batch, dimension());
  check_finite(kName, "x", batch.x);
}

DoubleVector ConjugateGaussian::log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension());
  check_batch_shape(kName, batch, dimension());
  return sum_over_rows(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n) {
    double sum = 0;
    for (Index i = begin; i < begin + count; ++i) sum += log_density(noise_, batch.x.row(i), theta.row(n));
    return sum;
  });
}

// P sum_i (x_i - theta) = n P (mean of x - theta): only the mean of the rows is needed.
void ConjugateGaussian::add_likelihood_score(const ConstMatrixRef& theta,
                                             const Batch& batch,
                                             double weight,
                                             MatrixRef grad) const {
  check_score_arguments(kName, theta, dimension(), weight, grad);
  check_batch_shape(kName, batch, dimension());
  if (batch.rows() == 0) return;
  Scratch mean(1, dimension());
  for (Index k = 0; k < dimension(); ++k) {
    double sum = 0;
    for (Index i = 0; i < batch.rows(); ++i) sum += static_cast<double>(batch.x(i, k));
    (*mean)(0, k) = static_cast<Real>(sum / static_cast<double>(batch.rows()));
  }
  Scratch gap(1, dimension());
  for (Index n = 0; n < theta.rows(); ++n) {
    gap->row(0) = theta.row(n) - mean->row(0);
    noise_.add_score(gap->row(0), weight * static_cast<double>(batch.rows()), grad.row(n));
  }
}

DoubleVector ConjugateGaussian::log_predictive(const ConstMatrixRef& theta, const Batch& batch) const {
  check_particles(kName, theta, dimension());
  check_batch_shape(kName, batch, dimension());
  return log_mean_over_particles(theta.rows(), batch.rows(), [&](Index begin, Index count, Index n, auto out) {
    for (Index i = 0; i < count; ++i) out(i) = log_density(noise_, batch.x.row(begin + i), theta.row(n));
  });
}

void ConjugateGaussian::add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension(), weight, curvature);
  for (Index n = 0; n < theta.rows(); ++n) prior_.add_curvature(weight, curvature.row(n));
}

void ConjugateGaussian::add_likelihood_curvature(const ConstMatrixRef& theta,
                                                 const Batch& batch,
                                                 double weight,
                                                 MatrixRef curvature) const {
  check_score_arguments(kName, theta, dimension(), weight, curvature);
  check_batch_shape(kName, batch, dimension());
  const double total = weight * static_cast<double>(batch.rows());
  for (Index n = 0; n < theta.rows(); ++n) noise_.add_curvature(total, curvature.row(n));
}

}  // namespace fedstein
