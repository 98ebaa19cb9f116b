// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/bandwidth.h"
#include "fedstein/stein/score.h"

namespace fedstein {

// A score known at N anchors z_m and carried to the places between them. It is what score distillation keeps of a
// factor: the agent never needs the factor as a density, only its score near the particles.
//
//   W(x)_m = softmax_m( -|x - z_m|^2 / h ),   h by the rule `paper` of the anchors
//   V      = (W(z)^T W(z) + ridge I)^-1 W(z)^T S
//   s(x)   = W(x) V
//
// so that s(z) is S up to the ridge. Not the gradient of any one function: no log density exists, none is offered.
// One anchor: a constant field S / (1 + ridge). Equal anchors: equal weights.
class ScoreField : public Score {
 public:
  // Small against the weights' products (which sum to 1), large against rounding: keeps V bounded when anchors crowd.
  static constexpr double kDefaultRidge = 1e-3;

  // anchors and values: N x d.
  ScoreField(const ConstMatrixRef& anchors, const ConstMatrixRef& values, double ridge = kDefaultRidge);

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

  Index dimension() const { return centred_.cols(); }

 private:
  RowVector mean_;       // of the anchors
  Matrix centred_;       // anchors - mean, N x d
  Matrix coefficients_;  // V, N x d
  double bandwidth_;     // h
};

}  // namespace fedstein
