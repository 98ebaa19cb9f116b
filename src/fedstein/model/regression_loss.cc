// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/regression_loss.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"

namespace fedstein {

double RegressionLoss::noise_variance(double log_precision) const {
  return std::exp(-log_precision);
}

void GaussianLoss::evaluate(double log_precision, VectorRef residuals) const {
  const auto constant = static_cast<Real>(0.5 * (std::log(2 * std::numbers::pi) - log_precision));
  const auto half_precision = static_cast<Real>(0.5 * std::exp(log_precision));
  residuals.array() = half_precision * residuals.array().square() + constant;
}

double GaussianLoss::differentiate(double log_precision, VectorRef residuals) const {
  const double precision = std::exp(log_precision);
  const double squares = residuals.cast<double>().squaredNorm();
  residuals *= static_cast<Real>(precision);
  return 0.5 * (precision * squares - static_cast<double>(residuals.size()));
}

StudentLoss::StudentLoss(double freedom) : freedom_(freedom) {
  check_argument(std::isfinite(freedom) && freedom > 2,
                 "StudentLoss",
                 "freedom is " + to_text(freedom) + "; it must be a finite number above 2");
}

void StudentLoss::evaluate(double log_precision, VectorRef residuals) const {
  const double v = freedom_;
  const double constant =
      -std::lgamma((v + 1) / 2) + std::lgamma(v / 2) + 0.5 * (std::log(std::numbers::pi * v) - log_precision);
  const double scale = std::exp(log_precision) / v;
  for (Real& residual : residuals) {
    const auto r = static_cast<double>(residual);  // the square of an outlier may not fit a float
    residual = static_cast<Real>((v + 1) / 2 * std::log1p(scale * r * r) + constant);
  }
}

// With u = e^g r^2 / v:  d/dr = (v+1) e^g r / (v (1+u)),  d/dg = -1/2 + (v+1)/2 u / (1+u).
double StudentLoss::differentiate(double log_precision, VectorRef residuals) const {
  const double v = freedom_;
  const double scale = std::exp(log_precision) / v;
  double sum = -0.5 * static_cast<double>(residuals.size());
  for (Real& residual : residuals) {
    const auto r = static_cast<double>(residual);
    const double u = scale * r * r;
    sum += (v + 1) / 2 * (u / (1 + u));
    residual = static_cast<Real>((v + 1) * scale * r / (1 + u));
  }
  return sum;
}

double StudentLoss::noise_variance(double log_precision) const {
  return freedom_ / (freedom_ - 2) * std::exp(-log_precision);
}

std::shared_ptr<const RegressionLoss> gaussian_loss() {
  static const auto loss = std::make_shared<const GaussianLoss>();
  return loss;
}

}  // namespace fedstein
