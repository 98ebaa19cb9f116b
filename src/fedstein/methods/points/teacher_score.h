// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/model/model.h"
#include "fedstein/stein/score.h"

namespace fedstein {

// Minus the gradient of a student's mean loss on inputs that a teacher has labelled: FedBE's distillation, see fedbe.h.
// A step's rows (drawn with replacement) and labels depend on (stream, step) alone. Borrows model and inputs.
class TeacherScore : public Score {
 public:
  // The model must be a classifier or a regression. sharpening: T of p^(1/T).
  TeacherScore(const Model& model, const Matrix& inputs, const Prediction& teacher, double sharpening);
  void choose_rows(Index batch, const StreamId& stream);
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

  // Whether a model's predictions can teach.
  static bool can_teach(const Model& model);

 private:
  // The label of copy `copy` of a row, u in (0, 1) being the row's random number.
  Real label(Index row, Index copy, double u) const;

  const Model* model_;
  const Matrix* inputs_;
  DoubleMatrix cumulative_;  // classifiers: n x C
  DoubleVector mean_;        // regressions, with the deviation of the whole predictive
  DoubleVector deviation_;
  Index batch_ = 1;
  StreamId stream_ = {};
};

}  // namespace fedstein
