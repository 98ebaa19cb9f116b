// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/score_field.h"

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/softmax_weights.h"

namespace fedstein {
namespace {

constexpr Index kColumnsPerPiece = 2048;

// Checks the parts before anything is made of them.
double bandwidth_of(const ScoreField::Parts& parts) {
  check_not_empty("ScoreField", "anchors", parts.anchors);
  check_same_shape("ScoreField", "coefficients", parts.coefficients, "anchors", parts.anchors);
  Matrix r2(parts.anchors.rows(), parts.anchors.rows());
  squared_distances(parts.anchors, r2);
  return Bandwidth::paper().of(r2);
}

}  // namespace

ScoreField::Parts ScoreField::fit(const ConstMatrixRef& anchors, const ConstMatrixRef& values, double ridge) {
  constexpr const char* kWho = "ScoreField";
  check_not_empty(kWho, "anchors", anchors);
  check_finite(kWho, "anchors", anchors);
  check_same_shape(kWho, "values", values, "anchors", anchors);
  check_finite(kWho, "values", values);
  check_positive(kWho, "ridge", ridge);
  const Index n = anchors.rows();

  Matrix weights(n, n);
  squared_distances(anchors, weights);
  softmax_weights(Bandwidth::paper().of(weights), weights);

  // Solved in double: the normal equations square the condition of W, which single precision would feel.
  const DoubleMatrix w = weights.cast<double>();
  DoubleMatrix normal = w.transpose() * w;
  normal.diagonal().array() += ridge;
  const Eigen::LLT<DoubleMatrix> solver(normal);
  Parts parts{anchors, Matrix(n, anchors.cols())};
  parallel_for(anchors.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
    const DoubleMatrix right = w.transpose() * values.middleCols(begin, end - begin).cast<double>();
    parts.coefficients.middleCols(begin, end - begin) = solver.solve(right).cast<Real>();
  });
  return parts;
}

ScoreField::ScoreField(const Parts& parts)
    : bandwidth_(bandwidth_of(parts)), sum_({{1, {&parts.anchors, &parts.coefficients, bandwidth_, 0}}}) {}

void ScoreField::add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const {
  check_columns("ScoreField::add", "theta", theta, dimension());
  sum_.add(theta, step, weight, grad);
}

std::optional<Anchored> ScoreField::anchored() const {
  return Anchored{&sum_.anchors(), &sum_.values(), bandwidth_, 0};
}

}  // namespace fedstein
