// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fedstein/model/autodiff.h"
#include "fedstein/model/checks.h"
#include "fedstein/model/model.h"

namespace fedstein {

// What you say of a model; all else follows by differentiation. examples/autodiff_model.cc shows one whole.
//
// Functions are written as for one row and one particle and run for a block of rows at once (autodiff.h). They must be
// safe to call from several threads at once, must compute the same numbers in the same order every time, and may throw:
// the exception reaches the caller. Branching on data goes by arithmetic, for a Var has no value to look at.
struct AutoDiffParts {
  using Var = autodiff::Var;
  using Parameters = autodiff::Parameters;
  using Features = autodiff::Features;

  Index dimension = 0;
  Index inputs = 0;  // columns of x
  // log p(y | x, theta); minus a loss as well.
  std::function<Var(const Parameters& theta, const Features& x, const Var& y)> log_likelihood = {};

  // The prior: N(0, prior_deviation^2 I), or, where given, this log density, normalised if it is to be compared with
  // others'. Particles start at draws from the normal one either way.
  double prior_deviation = 1;
  std::function<Var(const Parameters& theta)> log_prior = {};

  // For predictions, one of them at most; the log likelihood must then be normalised. The mean of the target, whose
  // predicted variance is that between particles alone; or the
  // probability of the second of two labels, -1 and 1 or 0 and 1.
  std::function<Var(const Parameters& theta, const Features& x)> mean = {};
  std::function<Var(const Parameters& theta, const Features& x)> probability = {};
  Labels labels = Labels::kSigned;  // with `probability`
};

// A model from its densities alone: scores are exact, by reverse-mode differentiation over blocks of rows. Within five
// times of a score written by hand, as `make bench` prints for logistic regression.
class AutoDiffModel : public Model, private Predictive {
 public:
  // Throws InvalidArgument for sizes below 1, a deviation that is not positive, no likelihood, or both predictions.
  explicit AutoDiffModel(AutoDiffParts parts);

  Index dimension() const override { return parts_.dimension; }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  void check_data(const Batch& batch) const override;
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  const Predictive* predictive() const override { return parts_.mean || parts_.probability ? this : nullptr; }

 private:
  Prediction predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const override;
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const override;
  Real label_of(Index index) const override;
  void check_batch(const Batch& batch) const;

  AutoDiffParts parts_;
};

}  // namespace fedstein
