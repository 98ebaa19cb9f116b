// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fedstein/model/batch.h"

namespace fedstein {

// What a regression pays for a residual r = y - f(x) at a given log noise precision g. Generalized Bayesian learning
// puts minus this loss where the log likelihood stands; derive from it to use your own.
//
// One call handles a block of rows, in place. Must be safe to call from several threads at once. The losses below are
// negative log densities, so that log_predictive() is one too; with a loss that is not, it is a mere score.
class RegressionLoss {
 public:
  virtual ~RegressionLoss() = default;

  // Replaces every residual by its loss.
  virtual void evaluate(double log_precision, VectorRef residuals) const = 0;

  // Replaces every residual by d loss / d r; returns the sum over rows of d loss / d g.
  virtual double differentiate(double log_precision, VectorRef residuals) const = 0;

  // Variance of the noise, for predictions.
  virtual double noise_variance(double log_precision) const;
};

// -log N(r; 0, e^-g) = 1/2 (log 2 pi - g + e^g r^2).
class GaussianLoss : public RegressionLoss {
 public:
  void evaluate(double log_precision, VectorRef residuals) const override;
  double differentiate(double log_precision, VectorRef residuals) const override;
};

// -log of Student's t density with scale e^(-g/2) and `freedom` degrees of freedom, here v:
//
//   -log G((v+1)/2) + log G(v/2) + 1/2 (log(pi v) - g) + (v+1)/2 log(1 + e^g r^2 / v).
//
// Grows like log |r|: an outlier's pull fades instead of growing. Tends to the Gaussian loss as v -> inf.
class StudentLoss : public RegressionLoss {
 public:
  // freedom > 2, so that the noise has a variance; 4 is the usual robust choice (Lange et al. 1989).
  explicit StudentLoss(double freedom = 4);
  void evaluate(double log_precision, VectorRef residuals) const override;
  double differentiate(double log_precision, VectorRef residuals) const override;
  double noise_variance(double log_precision) const override;

 private:
  double freedom_;
};

// The default of every regression.
std::shared_ptr<const RegressionLoss> gaussian_loss();

}  // namespace fedstein
