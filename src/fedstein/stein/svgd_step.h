// SPDX-License-Identifier: Apache-2.0
// One step of svgd(). Not installed: part of no interface.
#pragma once

#include <optional>

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

  // False: the options end the loop before this step, and x is as it was.
  bool take(Index step, StepRule::State& state, Matrix& x);

  // Why the last take() was not taken.
  SvgdStop stop() const { return stop_; }
  // Root mean square of the last direction; nothing where nobody looks at directions.
  std::optional<double> direction_norm() const;

 private:
  static void evaluate(const Terms& terms, const Matrix& x, Index step, Matrix& scores);
  // Shows what was found to those who look at it; whether the loop goes on.
  bool goes_on(Index step, const Matrix& x);

  const JointTerms* target_;
  const SvgdOptions* options_;
  Index block_;
  bool observed_;     // someone looks at directions before the step is taken
  Matrix scores_;     // of the terms that stand alone; where someone observes, of all terms in the end
  Matrix direction_;  // where someone observes
  Matrix beside_;     // scores of options.beside
  SvgdStop stop_ = SvgdStop::kAllSteps;
};

}  // namespace fedstein
