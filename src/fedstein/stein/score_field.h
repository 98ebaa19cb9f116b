// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/anchored_sum.h"
#include "fedstein/stein/bandwidth.h"

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

  // The 2 N d numbers that a field is made of, to be kept or saved; a field made from them again is the same to the
  // bit.
  struct Parts {
    Matrix anchors;       // z, N x d
    Matrix coefficients;  // V, N x d
  };

  // anchors and values S: N x d.
  static Parts fit(const ConstMatrixRef& anchors, const ConstMatrixRef& values, double ridge = kDefaultRidge);

  explicit ScoreField(const Parts& parts);
  ScoreField(const ConstMatrixRef& anchors, const ConstMatrixRef& values, double ridge = kDefaultRidge)
      : ScoreField(fit(anchors, values, ridge)) {}

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;
  std::optional<Anchored> anchored() const override;

  Index dimension() const { return sum_.dimension(); }

 private:
  double bandwidth_;  // h
  AnchoredSum sum_;
};

}  // namespace fedstein
