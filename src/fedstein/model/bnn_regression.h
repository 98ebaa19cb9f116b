// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "fedstein/model/network_prior.h"
#include "fedstein/model/regressor.h"

namespace fedstein {

// A Bayesian neural network for one real target: one or more hidden layers, of rectified units unless said
// otherwise.
//
//   theta = [network (model/network.h), log gamma],  network ~ the prior of model/network_prior.h,
//   gamma ~ Gamma(shape, rate),  y = f(x) + noise of precision gamma
//
// Particles start at the usual random initialisation of a network; log gamma starts at a prior draw, and fit_start()
// sets it to -log(mean squared error of the initial network) once data is at hand, as the released code does.
class BnnRegression : public Regressor, private GaussNewton, private Answers {
 public:
  struct Options {
    Index inputs = 0;
    HiddenLayers hidden = 50;  // or a list of widths, {64, 32}
    Activation activation = Activation::kRelu;
    double prior_precision = std::numbers::e;  // the paper's fixed precision lambda = e; 0: by layers
    double noise_shape = 1;
    double noise_rate = 0.1;
    std::shared_ptr<const RegressionLoss> loss = gaussian_loss();
  };
  explicit BnnRegression(const Options& options);

  Index dimension() const override { return net_.size() + 1; }
  Index weight_dimension() const override { return net_.size(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  bool starts_at_zero() const override { return false; }
  void fit_start(const Batch& batch, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  const GaussNewton* gauss_newton() const override { return this; }
  const Answers* answers() const override { return this; }
  const Network& network() const { return net_; }

 protected:
  void outputs(const ConstRowRef& theta, const ConstMatrixRef& x, VectorRef out) const override;
  double log_precision(const ConstRowRef& theta) const override { return static_cast<double>(theta(net_.size())); }

 private:
  void add_gauss_newton(const ConstMatrixRef& theta,
                        const Batch& batch,
                        double weight,
                        MatrixRef diagonal) const override;
  Index numbers() const override { return 1; }
  void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void add_pull(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& pull,
                RowRef grad) const override;

  Network net_;
  NetworkPrior prior_;
  Options options_;
};

}  // namespace fedstein
