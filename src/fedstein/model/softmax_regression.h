// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/classifier.h"
#include "fedstein/model/linear_coefficients.h"

namespace fedstein {

class LinearPrior;

// Bayesian softmax regression: C classes without a network, p(y = c | x, theta) = softmax_c(w_c.x + b_c).
//
//   theta = [w_0, b_0, w_1, b_1, ...], class by class,  w_ck ~ N(0, s^2),  b_c ~ N(0, 10^2)
//
// Every class has weights of its own, so that the prior treats all alike; only differences between classes matter to
// the data. s^2 = 10/p gives the log odds of any two classes the prior that logistic regression has, N(0, 20/p) for
// each weight. For standardised features.
class SoftmaxRegression : public Classifier, private Curvature, private Answers {
 public:
  static constexpr double kUsualVariance = 10;  // of w_c.x under the prior, inputs of variance 1

  struct Options {
    Index inputs = 0;
    Index classes = 0;
    double prior_deviation = 0;  // s; 0: sqrt(kUsualVariance / inputs)
    bool intercept = true;
    Labels labels = Labels::kIndex;
    std::shared_ptr<const ClassificationLoss> loss = cross_entropy();
  };
  explicit SoftmaxRegression(const Options& options);

  Index dimension() const override { return classes() * width(); }
  void draw_prior(Rng& rng, MatrixRef particles) const override;
  DoubleVector prior_log_density(const ConstMatrixRef& theta) const override;
  void add_prior_score(const ConstMatrixRef& theta, double weight, MatrixRef grad) const override;
  void add_likelihood_score(const ConstMatrixRef& theta,
                            const Batch& batch,
                            double weight,
                            MatrixRef grad) const override;
  // Of the cross-entropy; other losses' second derivatives are not known.
  const Curvature* curvature() const override { return softmax_loss() ? this : nullptr; }
  const GaussNewton* gauss_newton() const override { return this; }
  const Answers* answers() const override { return this; }
  const Coefficients* coefficients() const override { return &coefficients_; }

 protected:
  void logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;

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
  Index numbers() const override { return classes(); }
  void answer(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const override;
  void add_pull(const ConstRowRef& theta,
                const ConstMatrixRef& x,
                const ConstMatrixRef& pull,
                RowRef grad) const override;

  Index width() const { return inputs() + (intercept_ ? 1 : 0); }  // numbers of a class
  // Operations per row and particle.
  double cost() const { return 2 * static_cast<double>(dimension()); }
  // grad += what the pulls of the logits (C x rows) do to one particle's weights.
  void add_back(const ConstMatrixRef& pulls, const ConstMatrixRef& x, RowRef grad) const;

  bool intercept_;
  std::shared_ptr<const LinearPrior> prior_;
  LinearCoefficients coefficients_;
};

}  // namespace fedstein
