// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/linear_coefficients.h"
#include "fedstein/model/linear_weights.h"
#include "fedstein/model/regressor.h"

namespace fedstein {

class LinearPrior;

// Bayesian linear regression with unknown noise, y = w.x + b + noise of precision gamma.
//
//   theta = [w, b, log gamma],  w_k ~ N(0, s^2),  b ~ N(0, 10^2),  gamma ~ Gamma(shape, rate)
//
// For standardised columns and target. A prior of log gamma, not of gamma: its density holds the Jacobian term. Where
// the target is not standardised, intercept_deviation is to be as large as the target may be; targets far from 0 lose
// no digits, for b is subtracted from them first.
//
// fit_start() sets b to what leaves residuals of mean 0 and log gamma to -log(their mean square).
class LinearRegression : public Regressor, private Curvature, private Answers {
 public:
  struct Options {
    LinearWeights weights = {};
    double noise_shape = 1;
    double noise_rate = 0.1;
    std::shared_ptr<const RegressionLoss> loss = gaussian_loss();
  };
  explicit LinearRegression(const Options& options);

  Index dimension() const override { return count() + 1; }
  Index weight_dimension() const override { return count(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  void fit_start(const Batch& batch, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  // Of the Gaussian loss; other losses' second derivatives are not known.
  const Curvature* curvature() const override { return is_gaussian_ ? this : nullptr; }
  const GaussNewton* gauss_newton() const override { return this; }
  const Answers* answers() const override { return this; }
  const Coefficients* coefficients() const override { return &coefficients_; }

 protected:
  void outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const override;
  double offset(const ConstRowRef& theta) const override;
  double log_precision(const ConstRowRef& theta) const override { return static_cast<double>(theta(count())); }

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
  Index numbers() const override { return 1; }
  void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void add_pull(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& pull,
                RowRef grad) const override;

  Index count() const { return options_.weights.count(); }
  bool has_intercept() const { return options_.weights.intercept; }
  void add_rows(const ConstMatrixRef& theta, const Batch& batch, Real weight, MatrixRef grad) const;
  void add_squares(const ConstMatrixRef& theta, const Batch& batch, double weight, MatrixRef diagonal) const;

  Options options_;
  std::shared_ptr<const LinearPrior> prior_;
  bool is_gaussian_;
  LinearCoefficients coefficients_;
};

}  // namespace fedstein
