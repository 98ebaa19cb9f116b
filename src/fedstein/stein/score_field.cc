// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/score_field.h"

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/stein/softmax_weights.h"

namespace fedstein {
namespace {

constexpr Index kColumnsPerPiece = 2048;

}  // namespace

ScoreField::ScoreField(const ConstMatrixRef& anchors, const ConstMatrixRef& values, double ridge) {
  constexpr const char* kWho = "ScoreField";
  check_not_empty(kWho, "anchors", anchors);
  check_finite(kWho, "anchors", anchors);
  check_same_shape(kWho, "values", values, "anchors", anchors);
  check_finite(kWho, "values", values);
  check_positive(kWho, "ridge", ridge);
  const Index n = anchors.rows();
  mean_ = anchors.colwise().mean();
  centred_ = anchors.rowwise() - mean_;

  Matrix weights(n, n);
  squared_distances(centred_, weights);
  bandwidth_ = Bandwidth::paper().of(weights);
  softmax_weights(bandwidth_, weights);

  // Solved in double: the normal equations square the condition of W, which single precision would feel.
  const DoubleMatrix w = weights.cast<double>();
  DoubleMatrix normal = w.transpose() * w;
  normal.diagonal().array() += ridge;
  const Eigen::LLT<DoubleMatrix> solver(normal);
  coefficients_.resize(n, anchors.cols());
  parallel_for(anchors.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
    const DoubleMatrix right = w.transpose() * values.middleCols(begin, end - begin).cast<double>();
    coefficients_.middleCols(begin, end - begin) = solver.solve(right).cast<Real>();
  });
}

void ScoreField::add(const ConstMatrixRef& theta, Index /*step*/, double weight, MatrixRef grad) const {
  check_columns("ScoreField::add", "theta", theta, dimension());
  check_same_shape("ScoreField::add", "grad", grad, "theta", theta);
  Scratch shifted(theta.rows(), theta.cols());
  Scratch weights(theta.rows(), centred_.rows());
  *shifted = theta.rowwise() - mean_;
  squared_distances(*shifted, centred_, *weights);
  softmax_weights(bandwidth_, *weights);
  *weights *= static_cast<Real>(weight);
  parallel_for(theta.cols(), kColumnsPerPiece, [&](Index begin, Index end) {
    add_product(1, *weights, coefficients_.middleCols(begin, end - begin), grad.middleCols(begin, end - begin));
  });
}

}  // namespace fedstein
