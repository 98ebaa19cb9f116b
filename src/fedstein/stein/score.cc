// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/score.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

void Score::append_terms(double weight, Terms& terms) const {
  terms.emplace_back(weight, *this);
}

ScoreDescription Score::describe() const {
  if (const std::optional<Anchored> form = anchored()) return *form;
  return UnknownScore{};
}

void evaluate_terms(const Terms& terms, const ConstMatrixRef& theta, Index step, MatrixRef grad) {
  check_same_shape("evaluate", "grad", grad, "theta", theta);
  grad.setZero();
  for (const Term& term : terms) term.score->add(theta, step, term.weight, grad);
}

}  // namespace fedstein
