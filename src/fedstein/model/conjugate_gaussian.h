// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/gaussian.h"
#include "fedstein/model/model.h"

namespace fedstein {

// The mean of Gaussian observations, the noise being known: theta ~ prior, x_i ~ N(theta, noise_covariance). The one
// model whose posterior is known in closed form, so that every algorithm can be compared with the truth.
//
// Data rows are the observations (n x d); y is not looked at. There is nothing to predict.
class ConjugateGaussian : public Model, private Curvature {
 public:
  ConjugateGaussian(const Gaussian& prior, const DoubleMatrix& noise_covariance);

  // p0(theta) prod_i p(x_i | theta)^(1/temperature), normalised:
  //   precision = P0 + n/alpha P,  mean = precision^-1 (P0 m0 + P sum_i x_i / alpha).
  Gaussian posterior(const ConstMatrixRef& x, double temperature = 1) const;

  Index dimension() const override { return prior_.dimension(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  void check_data(const Batch& batch) const override;
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  const Curvature* curvature() const override { return this; }

  // log( 1/N sum_n p(row | theta.row(n)) ), one entry per row.
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const;

 private:
  // Constants.
  void add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const override;
  void add_likelihood_curvature(const ConstMatrixRef& theta,
                                const Batch& batch,
                                double weight,
                                MatrixRef curvature) const override;

  GaussianDensity prior_;
  GaussianDensity noise_;  // mean 0
};

}  // namespace fedstein
