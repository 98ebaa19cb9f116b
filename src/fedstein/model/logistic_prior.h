// SPDX-License-Identifier: Apache-2.0
// The priors of logistic regression: on its weights alone, or on weights and their precision. Not installed:
// LogisticRegression makes the one that its options name.
#pragma once

#include <memory>

#include "fedstein/model/logistic_regression.h"

namespace fedstein {

// theta = [w, what the prior adds]. Shapes are the model's to check.
class LogisticPrior {
 public:
  virtual ~LogisticPrior() = default;

  virtual Index own_parameters() const = 0;  // behind the weights
  virtual void draw(Rng& rng, MatrixRef particles) const = 0;
  virtual DoubleVector log_density(const ConstMatrixRef& theta) const = 0;
  virtual void add_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const = 0;
  virtual void add_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const = 0;
  // All second derivatives, at one place.
  virtual void add_information(const ConstRowRef& theta, double weight, DoubleMatrix& information) const = 0;
};

// Throws InvalidArgument for options that are out of range.
std::shared_ptr<const LogisticPrior> make_logistic_prior(Index inputs, const LogisticRegression::Options& options);

}  // namespace fedstein
