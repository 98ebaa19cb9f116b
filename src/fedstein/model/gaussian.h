// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/batch.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

struct Gaussian {
  DoubleVector mean;        // d
  DoubleMatrix covariance;  // d x d, symmetric and positive definite
};

// Throws InvalidArgument unless it is a proper Gaussian of `dimension` (0: any).
void check_gaussian(const char* function, const Gaussian& gaussian, Index dimension = 0);

// A Gaussian made ready for evaluation, in double. Nothing here allocates after construction.
class GaussianDensity {
 public:
  explicit GaussianDensity(const Gaussian& gaussian);

  Index dimension() const { return mean_.size(); }
  const DoubleVector& mean() const { return mean_; }
  const DoubleMatrix& precision() const { return precision_; }
  // log density at the mean: -1/2 log det(2 pi covariance).
  double log_peak() const { return log_peak_; }

  double log_density(const ConstRowRef& x) const;
  // grad += weight * precision (mean - x)
  void add_score(const ConstRowRef& x, double weight, RowRef grad) const;
  // curvature -= weight * diagonal of the precision: the Hessian of log_density() is minus the precision everywhere
  void add_curvature(double weight, RowRef curvature) const;
  void draw(Rng& rng, RowRef out) const;

 private:
  DoubleVector mean_;
  DoubleMatrix precision_;
  DoubleMatrix factor_;  // lower Cholesky factor of the covariance
  double log_peak_;
};

}  // namespace fedstein
