// SPDX-License-Identifier: Apache-2.0
// What some models can do beyond the interface of all. A model hands these out as objects, or null where it cannot:
// whoever holds one may use all of it.
#pragma once

#include "fedstein/model/batch.h"
#include "fedstein/model/prediction.h"

namespace fedstein {

// diagonal.row(n) += weight * diagonal of a curvature of minus the log likelihood that is never negative: the expected
// one (Fisher's, for networks the same as Gauss and Newton's), or what is positive of the exact one.
class GaussNewton {
 public:
  virtual ~GaussNewton() = default;
  virtual void add_gauss_newton(const ConstMatrixRef& theta,
                                const Batch& batch,
                                double weight,
                                MatrixRef diagonal) const = 0;
};

// Second derivatives: the diagonals of Hessians.
class Curvature : public GaussNewton {
 public:
  // curvature.row(n) += weight * diagonal of the Hessian of log p(theta.row(n)).
  virtual void add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const = 0;
  // Likewise for the log likelihood.
  virtual void add_likelihood_curvature(const ConstMatrixRef& theta,
                                        const Batch& batch,
                                        double weight,
                                        MatrixRef curvature) const = 0;
  // Unless a model knows better: what is positive of the exact curvature.
  void add_gauss_newton(const ConstMatrixRef& theta,
                        const Batch& batch,
                        double weight,
                        MatrixRef diagonal) const override;
};

// What a particle answers at given inputs, as numbers in which answers can be compared, and how its weights change
// them.
class Answers {
 public:
  virtual ~Answers() = default;

  // Numbers a row: one for each class, one for a regression.
  virtual Index numbers() const = 0;
  // out = numbers x rows: log probabilities, none below -10; or the mean of the target.
  virtual void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const = 0;
  // grad += the gradient of sum(pull * answers), for pull = numbers x rows.
  virtual void add_pull(const ConstRowRef& theta,
                        const ConstMatrixRef& x,
                        const ConstMatrixRef& pull,
                        RowRef grad) const = 0;
};

// Predictions of a label or target from a row's inputs. Works through blocks of rows: memory beyond the result does not
// grow with the number of rows.
class Predictive {
 public:
  virtual ~Predictive() = default;

  virtual Prediction predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const = 0;
  // log( 1/N sum_n p(y_i | x_i, theta.row(n)) ), one entry per row.
  virtual DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const = 0;
  // Both of them, as far as an evaluation looks: models for which rows are many do it in one pass over them.
  virtual Forecast forecast(const ConstMatrixRef& theta, const Batch& batch) const;
  // P(target <= at(i) | x.row(i)), the mean of the particles', one entry per row; false, and nothing done, where the
  // model does not know it. A regression with a Gaussian loss need not: its mixture is known without.
  virtual bool cumulative(const ConstMatrixRef& /*theta*/,
                          const ConstMatrixRef& /*x*/,
                          const DoubleVector& /*at*/,
                          DoubleVector& /*probability*/) const {
    return false;
  }
  // Of a classifier: how data writes class 0 .. C-1.
  virtual Real label_of(Index index) const { return static_cast<Real>(index); }
};

}  // namespace fedstein
