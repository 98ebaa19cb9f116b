// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/model.h"
#include "fedstein/model/regression_loss.h"

namespace fedstein {

// A model whose particles give each row an output f(x) and all rows one noise precision; the target is f(x) plus noise.
// Everything that is evaluated rather than differentiated is written here once.
class Regressor : public Model, public Predictive {
 public:
  Index inputs() const { return inputs_; }

  void check_data(const Batch& batch) const override;
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override;
  const Predictive* predictive() const override { return this; }
  Prediction predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const override;
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const override;
  Forecast forecast(const ConstMatrixRef& theta, const Batch& batch) const override;

 protected:
  Regressor(const char* name, Index inputs, std::shared_ptr<const RegressionLoss> loss);

  // out(i) = f(x.row(i)) - offset(theta) under one particle.
  virtual void outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const = 0;
  // What is the same in all rows, where it may be so large that a sum with it would cost the rest its digits.
  virtual double offset(const ConstRowRef& /*theta*/) const { return 0; }
  virtual double log_precision(const ConstRowRef& theta) const = 0;

  const RegressionLoss& loss() const { return *loss_; }
  // out(i) = y(i) - f(x.row(i))
  void residuals(const ConstRowRef& theta, const Batch& batch, VectorRef out) const;

 private:
  const char* name_;
  Index inputs_;
  std::shared_ptr<const RegressionLoss> loss_;
};

}  // namespace fedstein
