// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/score.h"

namespace fedstein {

// The KDE term as the released research code of the paper computes it, for comparisons with it and nothing else:
//
//   log( c sum_n [ exp(-|x - c_n|^2 / (2 lambda^2)) + 1e-9 ] + 1e-10 ),   c = (N 2 pi lambda^2)^(-dimension/2)
//
// The floors decide: outside the particles' reach, and above about 20 dimensions everywhere, the score is numerically
// zero instead of pointing home. `dimension` leaves out a model's precision parameters, as that code does.
class FlooredKde : public Score {
 public:
  FlooredKde(const ConstMatrixRef& particles, double bandwidth, Index dimension);

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;
  DoubleVector log_density(const ConstMatrixRef& theta) const;

 private:
  Matrix particles_;  // N x d
  double bandwidth_;
  double log_scale_;  // log c
};

}  // namespace fedstein
