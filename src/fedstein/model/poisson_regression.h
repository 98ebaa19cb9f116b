// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/count_regression.h"

namespace fedstein {

// Bayesian Poisson regression, y ~ Poisson(exp(w.x + b)).
//
//   theta = [w, b],  w_k ~ N(0, s^2),  b ~ N(0, 10^2)
//
// For standardised features. The variance of a count is its mean: where counts vary more than that, as most do,
// negative binomial regression says so, and this is too sure of itself.
class PoissonRegression : public CountRegression, private Curvature {
 public:
  explicit PoissonRegression(const LinearWeights& weights);

  const Curvature* curvature() const override { return this; }
  const GaussNewton* gauss_newton() const override { return this; }

 protected:
  double log_probability(double log_dispersion, double count, double log_rate) const override;
  double variance(double log_dispersion, double rate) const override;
  double probability_up_to(double log_dispersion, double count, double log_rate) const override;
  double rate_slope(double log_dispersion, double count, double rate) const override;
  double differentiate(const Rows& rows, VectorRef values) const override;
  double rate_information(double log_dispersion, double rate) const override;

 private:
  void add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const override;
  void add_likelihood_curvature(const ConstMatrixRef& theta,
                                const Batch& batch,
                                double weight,
                                MatrixRef curvature) const override;
  void add_gauss_newton(const ConstMatrixRef& theta,
                        const Batch& batch,
                        double weight,
                        MatrixRef diagonal) const override;
};

}  // namespace fedstein
