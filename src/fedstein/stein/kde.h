// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/anchored_sum.h"

namespace fedstein {

// The Gaussian kernel density estimate of N particles c_n (N x d) with bandwidth lambda, and its score:
//
//   log q(x) = log_sum_exp_n( -|x - c_n|^2 / (2 lambda^2) ) - log N - d/2 log(2 pi lambda^2)
//   s(x)     = sum_n w_n (c_n - x) / lambda^2,   w = softmax_n( -|x - c_n|^2 / (2 lambda^2) )
//
// Never through the density itself, which underflows a few bandwidths away: there the score still points home.
// A value: keeps its own copies of the particles. The paper's bandwidth is 0.55.
class Kde : public Score {
 public:
  Kde(const ConstMatrixRef& particles, double bandwidth);

  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;
  std::optional<Anchored> anchored() const override;
  ScoreDescription describe() const override { return KdeOf{&particles(), bandwidth_}; }
  DoubleVector log_density(const ConstMatrixRef& theta) const;

  Index dimension() const { return sum_.dimension(); }
  double bandwidth() const { return bandwidth_; }
  const Particles& particles() const { return sum_.anchors(); }

 private:
  double bandwidth_;  // lambda
  AnchoredSum sum_;
};

}  // namespace fedstein
