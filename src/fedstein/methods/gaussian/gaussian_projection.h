// SPDX-License-Identifier: Apache-2.0
// Expectations under a Gaussian, in the form in which Gaussian variational inference needs them.
#pragma once

#include "fedstein/methods/gaussian/natural_gaussian.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/numeric/gauss_hermite.h"

namespace fedstein {

// A log density f with its gradient and, where it is known, the diagonal of its Hessian, at many places at once. `step`
// chooses the rows of a minibatch.
class Differentiable {
 public:
  virtual ~Differentiable() = default;
  // out = gradient at theta, N x d.
  virtual void gradient(const ConstMatrixRef& theta, Index step, MatrixRef out) const = 0;
  virtual bool has_curvature() const = 0;
  // Only where has_curvature().
  virtual void curvature(const ConstMatrixRef& theta, Index step, MatrixRef out) const = 0;
};

// log p0. Borrows the model.
class PriorTerm : public Differentiable {
 public:
  explicit PriorTerm(const Model& model) : model_(&model) {}
  void gradient(const ConstMatrixRef& theta, Index step, MatrixRef out) const override;
  bool has_curvature() const override { return model_->curvature() != nullptr; }
  void curvature(const ConstMatrixRef& theta, Index step, MatrixRef out) const override;

 private:
  const Model* model_;
};

// -L_k / alpha by minibatches, scaled to all of the agent's rows. Borrows model and data.
class LikelihoodTerm : public Differentiable {
 public:
  struct Options {
    Index batch = 100;
    double temperature = 1;
    StreamId stream = {};
  };
  LikelihoodTerm(const Model& model, const Batch& data, const Options& options);
  void gradient(const ConstMatrixRef& theta, Index step, MatrixRef out) const override;
  bool has_curvature() const override { return model_->curvature() != nullptr; }
  void curvature(const ConstMatrixRef& theta, Index step, MatrixRef out) const override;

 private:
  const Model* model_;
  Batch data_;
  MinibatchLikelihood likelihood_;
  double weight_;  // 1 / alpha
};

// d/dmu E_q[f], mu the mean parameters of q, as the natural parameters of the factor that stands for exp(f):
//
//   precision = - E_q[Hessian of f],    linear = E_q[gradient of f] + precision mean(q)      (Bonnet, Price)
//
// q full (d <= 2): by Gauss-Hermite quadrature, the Hessian from gradients alone, E[H] = E[grad (x - m)^T]
// precision(q). q a mean field: by the antithetic draws m +- deviation * noise (noise: pairs x d). The diagonal of E[H]
// is the mean of the curvatures where f has them, else for every coordinate the slope of its gradient along its own
// noise. Both are exact for a quadratic f with a diagonal Hessian, the first for any quadratic, whatever the noise.
NaturalGaussian project(const NaturalGaussian& q, const Differentiable& f, Index step, const NormalQuadrature& rule);
NaturalGaussian project(const NaturalGaussian& q, const Differentiable& f, Index step, const ConstMatrixRef& noise);

}  // namespace fedstein
