// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fedstein/model/batch.h"

namespace fedstein {

// What a classifier pays for its class scores (logits) of one row, given the row's label. Generalized Bayesian learning
// puts minus this loss where the log likelihood stands; derive from it to use your own.
//
// One call handles a block of rows. logits: C x rows, one column per data row (loops over rows are then contiguous);
// labels: the rows' classes as whole numbers 0 .. C-1, which the caller has checked. Must be safe to call from several
// threads at once; temporaries come from numeric/scratch.h. Finite logits, however large, must give finite results.
class ClassificationLoss {
 public:
  virtual ~ClassificationLoss() = default;

  // losses(i) = loss of row i.
  virtual void evaluate(const ConstMatrixRef& logits, const ConstVectorRef& labels, VectorRef losses) const = 0;

  // Replaces column i of the logits by the gradient of row i's loss with respect to them.
  virtual void differentiate(const ConstVectorRef& labels, MatrixRef logits) const = 0;

  // Whether it is the cross-entropy, whose derivatives by the logits are p - 1[y] and diag(p) - p p^T: models that know
  // them in closed form then use what they know.
  virtual bool is_cross_entropy() const { return false; }
};

// -log p_y, p = softmax(logits): the plain negative log likelihood.
class CrossEntropy final : public ClassificationLoss {
 public:
  void evaluate(const ConstMatrixRef& logits, const ConstVectorRef& labels, VectorRef losses) const override;
  void differentiate(const ConstVectorRef& labels, MatrixRef logits) const override;
  bool is_cross_entropy() const override { return true; }
};

// The beta-divergence (density power divergence, Basu et al. 1998), up to a constant:
//
//   (1 - p_y^beta) / beta + (sum_c p_c^(1+beta) - 1) / (1 + beta).
//
// Bounded by 1/beta, so that a mislabelled row pulls only so much; 0 for a certain, right answer; tends to the
// cross-entropy as beta -> 0.
class BetaDivergence : public ClassificationLoss {
 public:
  explicit BetaDivergence(double beta = 0.5);
  void evaluate(const ConstMatrixRef& logits, const ConstVectorRef& labels, VectorRef losses) const override;
  void differentiate(const ConstVectorRef& labels, MatrixRef logits) const override;

 private:
  Real beta_;
};

// The default of every classifier.
std::shared_ptr<const ClassificationLoss> cross_entropy();

}  // namespace fedstein
