// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fedstein/numeric/matrix.h"
#include "fedstein/stein/score_description.h"

namespace fedstein {

struct Term;
using Terms = std::vector<Term>;

// The gradient of a log density at every particle. Only four kinds exist: the prior, a KDE of particles, a model's log
// likelihood, and a score field; every target of the paper is a signed sum of them.
class Score {
 public:
  virtual ~Score() = default;

  // grad.row(n) += weight * d/dtheta log p(theta.row(n)), for theta and grad N x d.
  //
  // `step` counts the local steps of the calling loop. A minibatch likelihood derives its rows from it, so that a score
  // is a pure function of its arguments; the others ignore it. Must be safe to call from several threads at once and
  // should not allocate once warm.
  virtual void add(const ConstMatrixRef& theta, Index step, double weight, MatrixRef grad) const = 0;

  // What lets several scores be evaluated as one, see AnchoredSum: the parts of a sum as terms of their own, and the
  // matrices of a score that is of Anchored form (borrowed from it).
  virtual void append_terms(double weight, Terms& terms) const;
  virtual std::optional<Anchored> anchored() const { return std::nullopt; }

  // What this score is, for engines that compute it in another place (stein/svgd_engine.h). Borrows from the score.
  // Scores of Anchored form need not override it; others that do not are unknown.
  virtual ScoreDescription describe() const;
};

// One signed term of a target. Borrows its score for the length of the call it is passed to.
struct Term {
  Term(double term_weight, const Score& term_score) : weight(term_weight), score(&term_score) {}
  // A temporary would be gone before the call ends: give the score a name.
  Term(double term_weight, const Score&& term_score) = delete;

  double weight;
  const Score* score;
};

// grad = sum over terms of weight * score(theta).
void evaluate_terms(const Terms& terms, const ConstMatrixRef& theta, Index step, MatrixRef grad);

}  // namespace fedstein
