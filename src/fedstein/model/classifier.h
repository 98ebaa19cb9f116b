// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/checks.h"
#include "fedstein/model/classification_loss.h"
#include "fedstein/model/model.h"

namespace fedstein {

// A model whose particles give each row C class scores (logits); p(y | x, theta) = softmax(logits)_y. Everything that
// is evaluated rather than differentiated is written here once.
class Classifier : public Model, public Predictive {
 public:
  Index inputs() const { return inputs_; }
  Index classes() const { return classes_; }
  Real label_of(Index index) const override {
    return static_cast<Real>(labels_ == Labels::kSigned ? 2 * index - 1 : index);
  }

  void check_data(const Batch& batch) const override;
  DoubleVector log_likelihood(const ConstMatrixRef& theta, const Batch& batch) const override;
  const Predictive* predictive() const override { return this; }
  Prediction predict(const ConstMatrixRef& theta, const ConstMatrixRef& x) const override;
  DoubleVector log_predictive(const ConstMatrixRef& theta, const Batch& batch) const override;
  // rows x C: what one particle (1 x d) predicts, as logarithms: sure of a class beyond what probabilities can tell.
  Matrix log_probabilities(const ConstRowRef& theta, const ConstMatrixRef& x) const;
  Forecast forecast(const ConstMatrixRef& theta, const Batch& batch) const override;

 protected:
  Classifier(
      const char* name, Index inputs, Index classes, Labels labels, std::shared_ptr<const ClassificationLoss> loss);

  // out = C x rows: the logits of the rows of x under one particle.
  virtual void logits(const ConstRowRef& theta, const ConstMatrixRef& x, MatrixRef out) const = 0;
  // Changes the logits of the rows of x to those that predictions use, where they differ.
  virtual void smooth(const ConstMatrixRef& /*x*/, MatrixRef /*logits*/) const {}

  const ClassificationLoss& loss() const { return *loss_; }
  // Whether the loss is softmax's own (ClassificationLoss::is_cross_entropy), asked once: inner loops look at it.
  bool softmax_loss() const { return softmax_loss_; }
  // Shapes and labels; cheap enough for every step.
  void check_batch(const Batch& batch) const;
  // The class index of every label.
  void to_classes(const ConstVectorRef& y, VectorRef classes) const;

 private:
  const char* name_;
  Index inputs_;
  Index classes_;
  Labels labels_;
  std::shared_ptr<const ClassificationLoss> loss_;
  bool softmax_loss_;
};

}  // namespace fedstein
