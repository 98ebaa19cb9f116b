// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/points/teacher_score.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// Four labels are within a quarter of the teacher's probabilities for every single row, and right on average. Two are
// exact for the Gaussian loss, which knows two moments.
constexpr Index kClassCopies = 4;
constexpr Index kTargetCopies = 2;

}  // namespace

bool TeacherScore::can_teach(const Model& model) {
  return model.predictive() != nullptr;
}

TeacherScore::TeacherScore(const Model& model, const Matrix& inputs, const Prediction& teacher, double sharpening)
    : model_(&model), inputs_(&inputs) {
  if (teacher.probabilities.size() == 0) {
    mean_ = teacher.mean;
    deviation_ = (teacher.aleatoric_variance + teacher.epistemic_variance).cwiseSqrt();
    return;
  }
  cumulative_ = teacher.probabilities.cast<double>().array().pow(1 / sharpening).matrix();
  for (Index i = 0; i < cumulative_.rows(); ++i) {
    for (Index c = 1; c < cumulative_.cols(); ++c) cumulative_(i, c) += cumulative_(i, c - 1);
    cumulative_.row(i) /= cumulative_(i, cumulative_.cols() - 1);
  }
}

void TeacherScore::choose_rows(Index batch, const StreamId& stream) {
  batch_ = std::min(batch, inputs_->rows());
  stream_ = stream;
}

Real TeacherScore::label(Index row, Index copy, double u) const {
  if (cumulative_.size() == 0) return static_cast<Real>(mean_(row) + (copy == 0 ? -1 : 1) * deviation_(row));
  const double place = (static_cast<double>(copy) + u) / static_cast<double>(kClassCopies);
  Index index = 0;
  while (index + 1 < cumulative_.cols() && place > cumulative_(row, index)) ++index;
  return model_->predictive()->label_of(index);
}

void TeacherScore::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  const Index copies = cumulative_.size() == 0 ? kTargetCopies : kClassCopies;
  Scratch x(batch_ * copies, inputs_->cols());
  Scratch y(batch_ * copies, 1);
  Rng rng(stream_, static_cast<std::uint64_t>(step));
  for (Index i = 0; i < batch_; ++i) {
    const auto row = static_cast<Index>(rng.below(static_cast<std::uint64_t>(inputs_->rows())));
    const double u = rng.uniform();
    for (Index copy = 0; copy < copies; ++copy) {
      x->row(i * copies + copy) = inputs_->row(row);
      (*y)(i * copies + copy, 0) = label(row, copy, u);
    }
  }
  const auto rows = static_cast<double>(batch_ * copies);
  model_->add_likelihood_score(theta, {*x, Eigen::Map<const Vector>(y->data(), batch_ * copies)}, weight / rows, grad);
}

}  // namespace fedstein
