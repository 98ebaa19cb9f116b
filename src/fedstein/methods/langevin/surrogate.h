// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/dsgld.h"

namespace fedstein {

// A Gaussian with diagonal precision that stands for an agent's likelihood (to the power 1/alpha), as natural
// parameters: row 0 is precision * mean, row 1 the precision, never negative. Products of likelihoods are sums of
// these. 2 x d.
using Surrogate = Matrix;

// How far a line may be followed: kDeviations of a Gaussian around its mean in every coordinate, without end where its
// precision is 0.
class Reach {
 public:
  static constexpr double kDeviations = 10;
  Reach() = default;  // everywhere
  explicit Reach(const Surrogate& gaussian);
  // theta, or the nearest place within reach.
  Matrix nearest(const ConstMatrixRef& theta) const;

 private:
  Matrix bounds_;  // 2 x d: least, most; empty: everywhere
};

// Its score: row 0 - row 1 * theta, at the nearest place within reach. Borrows nothing; signed sums of surrogates have
// scores too.
class SurrogateScore : public Score {
 public:
  explicit SurrogateScore(Surrogate surrogate, Reach reach = {})
      : surrogate_(std::move(surrogate)), reach_(std::move(reach)) {}
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  Surrogate surrogate_;
  Reach reach_;
};

// The surrogate of this agent's likelihood, from its own rows alone: a minibatch ascent of  p0 lik_k^(1/(f_k alpha)),
// the target of DSGLD's trajectories, by the AdaGrad of the particle methods, which knows no scale; then, around the
// mean of its second half and as widely as it wandered, the mean score of the likelihood (all rows) and its slopes:
// the mean curvature where the model knows it, else coordinate by coordinate the least-squares line through the scores
// at a hundred points. A likelihood that is a Gaussian with independent coordinates is found exactly, wherever the
// ascent ends. The ascent starts at 0, or for networks where the first chain does, the same one at every agent: their
// likelihoods have many modes, and the surrogates should speak of the same one. Without rows: zero.
Surrogate fit_surrogate(const AgentContext& context, const LangevinOptions& options, Index steps);

// The line through scores (M x d) at the points theta (M x d), slopes at most 0.
Surrogate fit_line(const ConstMatrixRef& theta, const ConstMatrixRef& scores);

}  // namespace fedstein
