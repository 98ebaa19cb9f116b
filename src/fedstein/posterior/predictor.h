// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fedstein/model/classifier.h"
#include "fedstein/posterior/posterior.h"

namespace fedstein {

// What a posterior says about rows, one entry per row. The three uncertainties are entropies in nats for classes
// (total = aleatoric + epistemic) and standard deviations in the target's unit for a regression (total^2 =
// aleatoric^2 + epistemic^2); metrics/uncertainty.h gives the conventions.
struct RowPredictions {
  Matrix probabilities = {};  // n x C; empty for a regression
  DoubleVector mean = {};     // n; empty for classes
  DoubleVector total = {};
  DoubleVector aleatoric = {};  // every particle is unsure: more training will not help
  DoubleVector epistemic = {};  // the particles disagree: rows like this one were rare in training

  Index rows() const { return total.size(); }
};

// Predictions from raw rows: scaled as in training, at the posterior's temperature. Immutable; any number of threads.
class Predictor {
 public:
  // Throws InvalidArgument as check_posterior() does.
  explicit Predictor(Posterior posterior, const Registry& registry = Registry::standard());

  const Posterior& posterior() const { return posterior_; }
  bool classifies() const { return classifier_ != nullptr; }
  Index features() const { return posterior_.shape.features; }

  // x: n x features, raw. Memory beyond the result is that of some thousand rows.
  RowPredictions predict(const ConstMatrixRef& x) const;

  // Per row, the logarithm of the predictive probability of the label, or density of the target in its own unit. y as
  // data writes it: -1 and 1, 0 .. C-1, or targets.
  DoubleVector log_predictive(const ConstMatrixRef& x, const Eigen::Ref<const Vector>& y) const;
  // At another temperature than the posterior's own.
  DoubleVector log_predictive(const ConstMatrixRef& x, const Eigen::Ref<const Vector>& y, double temperature) const;

  // Regressions: the predictive mixture, n x N each, in the target's unit. Refused for classes and for losses that are
  // not Gaussian.
  struct Mixture {
    Matrix means = {};
    Matrix variances = {};
  };
  Mixture mixture(const ConstMatrixRef& x) const;

  // Regressions and counts: the targets at which the predictive distribution reaches these probabilities (each in the
  // open (0, 1)), n x Q, in the target's unit; of counts the least that does. Refused where can_tell_quantiles() is
  // false.
  DoubleMatrix quantiles(const ConstMatrixRef& x, const std::vector<double>& probabilities) const;
  // Not of classes, nor of a regression of your own whose distribution is not known here (Predictive::cumulative).
  bool can_tell_quantiles() const { return can_tell_quantiles_; }
  // Of counts, per row: the probability of the smallest central interval of the prediction that holds y. Empty for all
  // others.
  DoubleVector central_mass(const ConstMatrixRef& x, const Eigen::Ref<const Vector>& y) const;

  // Whether a temperature other than 1 has a meaning: not for a Student loss, whose tempered density is no Student's,
  // nor for counts, nor for a regression of your own, whose noise is not known here.
  bool can_be_tempered() const;

 private:
  Matrix scaled(const ConstMatrixRef& x) const;
  Mixture scaled_mixture(const ConstMatrixRef& x, double temperature) const;
  void classify(const ConstMatrixRef& x, RowPredictions& out, Index begin) const;
  void regress(const ConstMatrixRef& x, RowPredictions& out, Index begin) const;
  void own_quantiles(const ConstMatrixRef& x,
                     const std::vector<double>& probabilities,
                     Eigen::Ref<DoubleMatrix> out) const;

  Posterior posterior_;
  std::unique_ptr<Model> model_;
  const Classifier* classifier_ = nullptr;  // model_, where it is one
  bool can_tell_quantiles_ = false;
};

}  // namespace fedstein
