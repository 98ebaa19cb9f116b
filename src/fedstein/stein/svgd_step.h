// SPDX-License-Identifier: Apache-2.0
// One step of svgd(). Not installed: part of no interface.
#pragma once

#include "fedstein/stein/anchored_sum.h"
#include "fedstein/stein/svgd.h"

namespace fedstein {

// Scores, direction and step of a block of columns one after the other: with many coordinates the memory's speed is the
// limit, and so a number crosses to the cache and back once. Only terms that stand alone (a likelihood walks through
// its data in an order of its own) are evaluated for all columns before.
class SvgdStep {
 public:
  // Memory for particles of this shape. Borrows target and options.
  SvgdStep(const JointTerms& target, const SvgdOptions& options, Index rows, Index columns);

  void take(Index step, StepRule::State& state, Matrix& x);

 private:
  void evaluate_others(const Matrix& x, Index step);

  const JointTerms* target_;
  const SvgdOptions* options_;
  Index block_;
  Matrix scores_;     // of the terms that stand alone; where someone observes, of all terms in the end
  Matrix direction_;  // where someone observes
};

}  // namespace fedstein
