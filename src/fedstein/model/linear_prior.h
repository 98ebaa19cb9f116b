// SPDX-License-Identifier: Apache-2.0
// The prior of the models that are linear in their weights: independent normal weights and, for some, one positive
// number behind them (a noise precision, a dispersion) as its logarithm. Not installed: part of no interface.
#pragma once

#include <optional>

#include "fedstein/numeric/matrix.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// Of log g for g ~ Gamma(shape, rate): a density of the logarithm, so that it holds the Jacobian term + log g.
struct LogGamma {
  double shape = 1;
  double rate = 1;

  double draw(Rng& rng) const;
  double log_density(double log_value) const;
  double slope(double log_value) const;  // the derivative of the above
  double bend(double log_value) const;   // and the second
};

// theta = [w, log g] or w alone, w_k ~ N(0, deviation_k^2). Shapes are the model's to check.
class LinearPrior {
 public:
  explicit LinearPrior(const RowVector& deviations);
  LinearPrior(const RowVector& deviations, const LogGamma& positive);

  Index weights() const { return deviations_.size(); }
  Index size() const { return weights() + (positive_ ? 1 : 0); }
  void draw(Rng& rng, MatrixRef particles) const;
  DoubleVector log_density(const ConstMatrixRef& theta) const;
  void add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const;
  void add_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const;

 private:
  RowVector deviations_;
  RowVector precisions_;
  std::optional<LogGamma> positive_;
};

}  // namespace fedstein
