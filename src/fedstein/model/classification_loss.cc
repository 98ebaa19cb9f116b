// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/classification_loss.h"

#include <cmath>

#include "fedstein/model/softmax.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

Index class_of(Real label) {
  return static_cast<Index>(label);
}

}  // namespace

void CrossEntropy::evaluate(const ConstMatrixRef& logits, const ConstVectorRef& labels, VectorRef losses) const {
  Scratch log_p(logits.rows(), logits.cols());
  *log_p = logits;
  log_softmax(*log_p);
  for (Index i = 0; i < labels.size(); ++i) losses(i) = -(*log_p)(class_of(labels(i)), i);
}

void CrossEntropy::differentiate(const ConstVectorRef& labels, MatrixRef logits) const {
  softmax(logits);
  for (Index i = 0; i < labels.size(); ++i) logits(class_of(labels(i)), i) -= 1;
}

BetaDivergence::BetaDivergence(double beta) : beta_(static_cast<Real>(beta)) {
  check_positive("BetaDivergence", "beta", beta);
}

void BetaDivergence::evaluate(const ConstMatrixRef& logits, const ConstVectorRef& labels, VectorRef losses) const {
  Scratch log_p(logits.rows(), logits.cols());
  Scratch power_sum(1, logits.cols());  // sum_c p_c^(1+beta)
  *log_p = logits;
  log_softmax(*log_p);
  power_sum->setZero();
  for (Index c = 0; c < logits.rows(); ++c) power_sum->array() += ((1 + beta_) * log_p->row(c).array()).exp();
  for (Index i = 0; i < labels.size(); ++i) {
    // expm1 keeps the digits of 1 - p^beta when beta is small.
    losses(i) = -std::expm1(beta_ * (*log_p)(class_of(labels(i)), i)) / beta_ + ((*power_sum)(0, i) - 1) / (1 + beta_);
  }
}

// d/dz_j = p_j^(1+beta) - p_j sum_c p_c^(1+beta) - p_y^beta (1[j = y] - p_j).
void BetaDivergence::differentiate(const ConstVectorRef& labels, MatrixRef logits) const {
  log_softmax(logits);
  Scratch label_power(1, logits.cols());  // p_y^beta
  Scratch factor(1, logits.cols());       // p_y^beta - sum_c p_c^(1+beta)
  for (Index i = 0; i < labels.size(); ++i) (*label_power)(0, i) = beta_ * logits(class_of(labels(i)), i);
  label_power->array() = label_power->array().exp();
  *factor = *label_power;
  for (Index c = 0; c < logits.rows(); ++c) factor->array() -= ((1 + beta_) * logits.row(c).array()).exp();
  for (Index c = 0; c < logits.rows(); ++c) {
    auto row = logits.row(c).array();
    row = ((1 + beta_) * row).exp() + row.exp() * factor->row(0).array();
  }
  for (Index i = 0; i < labels.size(); ++i) logits(class_of(labels(i)), i) -= (*label_power)(0, i);
}

std::shared_ptr<const ClassificationLoss> cross_entropy() {
  static const auto loss = std::make_shared<const CrossEntropy>();
  return loss;
}

}  // namespace fedstein
