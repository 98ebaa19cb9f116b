// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fedstein/model/capabilities.h"
#include "fedstein/model/coefficients.h"
#include "fedstein/model/support.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {

// A Bayesian model: a prior on parameters theta (d numbers, one row per particle) and a likelihood of data rows.
//
// With a generalized loss l in place of -log p(y|x, theta), "log likelihood" means -sum_i l_i throughout; the
// temperature alpha is the caller's, as the weight 1/alpha. Nothing here scales by the number of rows.
//
// Models are immutable: every function may be called from several threads at once, and gives the same bits whatever the
// number of threads. Scores do not allocate memory of their own once warm. Wrong shapes and labels throw
// InvalidArgument.
class Model {
 public:
  virtual ~Model() = default;

  // d
  virtual Index dimension() const = 0;
  // d without precision parameters: what the released research code of the paper takes for the dimension of its KDEs.
  virtual Index weight_dimension() const { return dimension(); }

  // Fills particles (N x d) with the start of an inference: draws from the prior, or where the field does otherwise
  // (network weights) from what the model's header says.
  virtual void draw_prior(Rng& rng, MatrixRef particles) const = 0;
  // Whether 0 is a start for a single point. Not for networks: their hidden units would all stay alike, so that a point
  // begins where draw_prior() does.
  virtual bool starts_at_zero() const { return true; }
  // Adapts a start to the data where a model can (noise levels); most leave it as it is.
  virtual void fit_start(const Batch& batch, MatrixRef particles) const;

  // log p(theta.row(n)), normalised; -inf outside the support.
  virtual DoubleVector prior_log_density(const ConstMatrixRef& theta) const = 0;
  // grad.row(n) += weight * d/dtheta log p(theta.row(n)).
  virtual void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const = 0;
  // Bounds into which particles are reflected after every step; null when there are none.
  virtual const Support* support() const { return nullptr; }

  // Throws InvalidArgument, naming row and value, for data this model cannot take. Whoever holds data for many steps
  // asks once; the functions below check shapes and labels only.
  virtual void check_data(const Batch& batch) const = 0;

  // sum over rows of log p(y_i | x_i, theta.row(n)), one entry per particle.
  virtual DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const = 0;
  // grad.row(n) += weight * d/dtheta of the above.
  virtual void add_likelihood_score(const ConstMatrixRef& theta,
                                    const Batch& batch,
                                    double weight,
                                    MatrixRef grad) const = 0;

  // What a model can do beyond this; null where it cannot. Each lives as long as the model.
  virtual const Predictive* predictive() const { return nullptr; }
  virtual const Answers* answers() const { return nullptr; }
  virtual const Curvature* curvature() const { return nullptr; }
  // Who knows second derivatives knows a curvature that is never negative.
  virtual const GaussNewton* gauss_newton() const { return curvature(); }
  virtual const Coefficients* coefficients() const { return nullptr; }
  virtual const Information* information() const { return nullptr; }
};

// log prior + log likelihood / temperature per particle: the exact posterior up to a constant.  [eq. exact_posterior]
DoubleVector log_posterior(const Model& model, const ConstMatrixRef& theta, const Batch& batch, double temperature = 1);

// What svgd() calls after every step: reflection into the model's support, or nothing where it has none. Borrows the
// model.
std::function<void(MatrixRef particles)> constraint_of(const Model& model);
std::function<void(MatrixRef particles)> constraint_of(const Model&&) = delete;

}  // namespace fedstein
