// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fedstein/model/model.h"

namespace fedstein {

// A model from two functions of your own, the log likelihood of one data row and its gradient; examples/new_model.cc
// shows one whole. Prior: N(0, prior_deviation^2 I). Row by row, so slower than a model that handles all rows and
// particles at once, and it predicts nothing; good for trying an idea before deriving a class from Model.
//
// The functions must be safe to call from several threads at once.
struct LogDensityParts {
  Index dimension = 0;
  Index inputs = 0;  // columns of x
  double prior_deviation = 1;
  // log p(y | x, theta), up to a constant; minus a loss of your own as well
  std::function<double(const ConstRowRef& theta, const ConstRowRef& x, Real y)> log_likelihood = {};
  // grad += weight * d/dtheta of it
  std::function<void(const ConstRowRef& theta, const ConstRowRef& x, Real y, Real weight, RowRef grad)> add_score = {};
};

class LogDensityModel : public Model {
 public:
  explicit LogDensityModel(const LogDensityParts& parts);

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

  // log( 1/N sum_n p(y_i | x_i, theta.row(n)) ), one entry per row.
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const;

 private:
  LogDensityParts parts_;
};

}  // namespace fedstein
