// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/algorithm/dsgld.h"

namespace fedstein {

// A Gaussian with diagonal precision that stands for an agent's likelihood (to the power 1/alpha), as natural
// parameters: row 0 is precision * mean, row 1 the precision, never negative. Products of likelihoods are sums of
// these. 2 x d.
using Surrogate = Matrix;

// Its score: row 0 - row 1 * theta. Borrows nothing; signed sums of surrogates have scores too.
class SurrogateScore : public Score {
 public:
  explicit SurrogateScore(Surrogate surrogate) : surrogate_(std::move(surrogate)) {}
  void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const override;

 private:
  Surrogate surrogate_;
};

// The surrogate of this agent's likelihood, from its own rows alone: ten chains of SGLD on  p0 lik_k^(n/n_k / alpha),
// the target of DSGLD's trajectories, of which the second half is looked at ten times; then, coordinate by coordinate,
// the least-squares line through the likelihood's scores (all rows) at those hundred points. A likelihood that is a
// Gaussian with independent coordinates is found exactly, wherever the chains are. Without rows: zero.
Surrogate fit_surrogate(const AgentContext& context, const LangevinOptions& options, Index steps);

// The line through scores (M x d) at the points theta (M x d), slopes at most 0.
Surrogate fit_line(const ConstMatrixRef& theta, const ConstMatrixRef& scores);

}  // namespace fedstein
