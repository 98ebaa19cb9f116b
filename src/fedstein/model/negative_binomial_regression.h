// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/count_regression.h"

namespace fedstein {

// Bayesian negative binomial regression: counts of mean m = exp(w.x + b) and variance m + alpha m^2 with an unknown
// dispersion alpha, so that 1/alpha is the size r of the distribution,
//
//   p(y) = Gamma(y + r) / (Gamma(r) y!) (r / (r + m))^r (m / (r + m))^y.
//
//   theta = [w, b, log alpha],  w_k ~ N(0, s^2),  b ~ N(0, 10^2),  alpha ~ Gamma(shape, rate)
//
// For standardised features. A prior of log alpha, not of alpha: its density holds the Jacobian term. Shape 1 and rate
// 1 prefer little dispersion; alpha -> 0 is Poisson regression.
//
// Gauss and Newton's diagonal is Fisher's for the weights. Of log alpha it is the exact curvature of the rows together,
// and at least what their second moments tell, (dV/d log alpha)^2 / var (y - m)^2 with V = m + alpha m^2, which is
// never negative.
class NegativeBinomialRegression : public CountRegression, private GaussNewton {
 public:
  struct Options {
    LinearWeights weights = {};
    double dispersion_shape = 1;
    double dispersion_rate = 1;
  };
  explicit NegativeBinomialRegression(const Options& options);

  // Also sets alpha to what the squared residuals show beyond a Poisson's, from 0.01 to 10.
  void fit_start(const Batch& batch, MatrixRef particles) const override;
  const GaussNewton* gauss_newton() const override { return this; }

 protected:
  double log_probability(double log_dispersion, double count, double log_rate) const override;
  double variance(double log_dispersion, double rate) const override;
  double probability_up_to(double log_dispersion, double count, double log_rate) const override;
  double rate_slope(double log_dispersion, double count, double rate) const override;
  double differentiate(const Rows& rows, VectorRef values) const override;
  double rate_information(double log_dispersion, double rate) const override;

 private:
  void add_gauss_newton(const ConstMatrixRef& theta,
                        const Batch& batch,
                        double weight,
                        MatrixRef diagonal) const override;
  double dispersion_information(const ConstRowRef& theta, const Batch& batch) const;
};

}  // namespace fedstein
