// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "fedstein/model/classifier.h"
#include "fedstein/model/network_prior.h"

namespace fedstein {

// A Bayesian neural network for C classes: one or more hidden layers, of rectified units unless said
// otherwise (model/network.h gives theta's layout), prior of model/network_prior.h on all weights and biases, p(y | x,
// theta) = softmax(out)_y.
//
// Particles start at the usual random initialisation of a network, not at prior draws, as the paper's do.
class BnnClassification : public Classifier, private GaussNewton, private Answers {
 public:
  struct Options {
    Index inputs = 0;
    HiddenLayers hidden = 100;  // or a list of widths, {64, 32}
    Activation activation = Activation::kRelu;
    Index classes = 0;
    double prior_precision = std::numbers::e;  // the paper's fixed precision lambda = e; 0: by layers
    Labels labels = Labels::kIndex;
    std::shared_ptr<const ClassificationLoss> loss = cross_entropy();
  };
  explicit BnnClassification(const Options& options);

  Index dimension() const override { return net_.size(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  bool starts_at_zero() const override { return false; }
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
  void logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;

 private:
  void add_gauss_newton(const ConstMatrixRef& theta,
                        const Batch& batch,
                        double weight,
                        MatrixRef diagonal) const override;
  Index numbers() const override { return net_.outputs(); }
  void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void add_pull(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& pull,
                RowRef grad) const override;

  Network net_;
  NetworkPrior prior_;
};

}  // namespace fedstein
