// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/gaussian.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"

namespace fedstein {

void check_gaussian(const char* function, const Gaussian& gaussian, Index dimension) {
  const Index d = gaussian.mean.size();
  check_argument(d >= 1 && (dimension == 0 || d == dimension),
                 function,
                 "a Gaussian's mean has " + std::to_string(d) + " coordinates; it must have " +
                     (dimension == 0 ? std::string("at least 1") : std::to_string(dimension)));
  check_argument(gaussian.covariance.rows() == d && gaussian.covariance.cols() == d,
                 function,
                 "a Gaussian's covariance is " + std::to_string(gaussian.covariance.rows()) + " x " +
                     std::to_string(gaussian.covariance.cols()) + "; it must be " + std::to_string(d) + " x " +
                     std::to_string(d));
  check_argument(gaussian.mean.allFinite() && gaussian.covariance.allFinite(),
                 function,
                 "a Gaussian's mean or covariance is not finite; every value must be");
  const double asymmetry = (gaussian.covariance - gaussian.covariance.transpose()).cwiseAbs().maxCoeff();
  check_argument(
      asymmetry <= 1e-9 * gaussian.covariance.cwiseAbs().maxCoeff(),
      function,
      "a Gaussian's covariance differs from its transpose by " + to_text(asymmetry) + "; it must be symmetric");
  check_argument(gaussian.covariance.llt().info() == Eigen::Success,
                 function,
                 "a Gaussian's covariance is not positive definite; it must be");
}

GaussianDensity::GaussianDensity(const Gaussian& gaussian) : mean_(gaussian.mean) {
  check_gaussian("GaussianDensity", gaussian);
  const Eigen::LLT<DoubleMatrix> cholesky(gaussian.covariance);
  factor_ = cholesky.matrixL();
  const DoubleMatrix inverse = cholesky.solve(DoubleMatrix::Identity(dimension(), dimension()));
  precision_ = 0.5 * (inverse + inverse.transpose());
  log_peak_ =
      -factor_.diagonal().array().log().sum() - 0.5 * static_cast<double>(dimension()) * std::log(2 * std::numbers::pi);
}

double GaussianDensity::log_density(const ConstRowRef& x) const {
  double form = 0;
  for (Index i = 0; i < dimension(); ++i) {
    double row = 0;
    for (Index j = 0; j < dimension(); ++j) row += precision_(i, j) * (static_cast<double>(x(j)) - mean_(j));
    form += row * (static_cast<double>(x(i)) - mean_(i));
  }
  return log_peak_ - 0.5 * form;
}

void GaussianDensity::add_score(const ConstRowRef& x, double weight, RowRef grad) const {
  for (Index i = 0; i < dimension(); ++i) {
    double row = 0;
    for (Index j = 0; j < dimension(); ++j) row += precision_(i, j) * (mean_(j) - static_cast<double>(x(j)));
    grad(i) += static_cast<Real>(weight * row);
  }
}

void GaussianDensity::add_curvature(double weight, RowRef curvature) const {
  for (Index k = 0; k < curvature.size(); ++k) curvature(k) -= static_cast<Real>(weight * precision_(k, k));
}

void GaussianDensity::draw(Rng& rng, RowRef out) const {
  DoubleVector noise(dimension());
  for (double& value : noise) value = rng.normal();
  out = (mean_ + factor_ * noise).transpose().cast<Real>();
}

}  // namespace fedstein
