// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/classifier.h"

namespace fedstein {

class LogisticPrior;

// Bayesian logistic regression, p(y = 1 | x, w) = 1 / (1 + exp(-w.x)), labels -1 and +1, under one of two priors.
//
//   gamma    theta = [w, log xi],  xi ~ Gamma(shape, scale),  w_k | xi ~ N(0, 1/xi)
//   normal   theta = w,            w_k ~ N(0, s^2), an intercept N(0, 10^2) whatever s
//
// gamma is that of Gershman et al. (2012) and of the paper's section on experiments. It is a density of log xi, not of
// xi: its logarithm holds the Jacobian term + log xi. The scale b = 0.01 means a mean precision of 0.01, that is,
// weights of deviation about 10 at the start; read as a rate it gives other curves than the paper's. Paper and released
// code use no intercept. With few rows and many features the learned precision runs away, and the weights collapse.
//
// normal is for standardised features. s^2 = 20/p gives w.x the same deviation, about 4.5, whatever the number of
// features p, so that a wide table is not believed to be separable before it is seen.
class LogisticRegression : public Classifier,
                           private Curvature,
                           private Answers,
                           private Coefficients,
                           private Information {
 public:
  enum class Prior { kGamma, kNormal };
  static constexpr double kUsualVariance = 20;  // of w.x under the prior, inputs of variance 1
  static constexpr double kInterceptDeviation = 10;

  struct Options {
    // Here the paper's model is the default, as it is for tests and golden cases. A configuration without
    // `preset = "paper"` gets kNormal and an intercept: registry/standard_model_types.cc.
    Prior prior = Prior::kGamma;
    double prior_shape = 1;      // kGamma: a of the paper
    double prior_scale = 0.01;   // kGamma: b of the paper
    double prior_deviation = 0;  // kNormal: s; 0: sqrt(kUsualVariance / inputs)
    // Adds a weight w_0 for a constant input, stored behind the others; kGamma: with the same prior.
    bool intercept = false;
    // lambda > 0: predict with the probit-smoothed form of app:confidence_calibration_BLR, which integrates the sigmoid
    // over a Gaussian of deviation lambda around each particle: w.x is divided by sqrt(1 + pi/8 lambda^2 |x|^2). (The
    // paper prints 1/lambda^2, a slip: a wider kernel must give less certain predictions.)
    double smoothing = 0;
    std::shared_ptr<const ClassificationLoss> loss = cross_entropy();
  };

  explicit LogisticRegression(Index inputs) : LogisticRegression(inputs, Options{}) {}
  LogisticRegression(Index inputs, const Options& options);

  // inputs, 1 more with an intercept, and 1 more for the log precision of the gamma prior.
  Index dimension() const override { return dimension_; }
  Index weight_dimension() const override { return weights(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  // Of the cross-entropy; other losses' second derivatives are not known.
  const Curvature* curvature() const override { return softmax_loss() ? this : nullptr; }
  Forecast forecast(const ConstMatrixRef& theta, const Batch& batch) const override;
  const GaussNewton* gauss_newton() const override { return this; }
  const Answers* answers() const override { return this; }
  const Coefficients* coefficients() const override { return this; }
  // Of the cross-entropy, as with curvature().
  const Information* information() const override { return softmax_loss() ? this : nullptr; }

 protected:
  void logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void smooth(const ConstMatrixRef& x, MatrixRef scores) const override;

 private:
  void add_prior_curvature(const ConstMatrixRef& theta, double weight, MatrixRef curvature) const override;
  void add_likelihood_curvature(const ConstMatrixRef& theta,
                                const Batch& batch,
                                double weight,
                                MatrixRef curvature) const override;
  void add_gauss_newton(const ConstMatrixRef& theta,
                        const Batch& batch,
                        double weight,
                        MatrixRef diagonal) const override;

  void add_prior_information(const ConstRowRef& theta, double weight, DoubleMatrix& information) const override;
  void add_likelihood_information(const ConstRowRef& theta,
                                  const Batch& batch,
                                  double weight,
                                  DoubleMatrix& information) const override;

  Link link() const override { return Link::kLogOdds; }
  Index weight(Index /*predictor*/, Index input) const override { return input; }
  std::optional<Index> intercept(Index predictor) const override;
  std::vector<Other> others() const override;

  Index numbers() const override { return 2; }
  void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void add_pull(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& pull,
                RowRef grad) const override;

  Index weights() const { return inputs() + (options_.intercept ? 1 : 0); }
  void add_rows(const ConstMatrixRef& theta, const Batch& batch, Real weight, MatrixRef grad) const;
  void pulls(const ConstMatrixRef& theta, const Batch& batch, MatrixRef margins) const;

  Options options_;
  std::shared_ptr<const LogisticPrior> prior_;
  Index dimension_;
};

}  // namespace fedstein
