// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fedstein/stein/kernel.h"
#include "fedstein/stein/score.h"
#include "fedstein/stein/step_rule.h"
#include "fedstein/stein/svgd_summary.h"

namespace fedstein {

// How to run SVGD. Kernel and step rule are borrowed for the call.
struct SvgdOptions {
  Index steps = 200;  // L of the paper; with a tolerance or stop_when: at most
  const Kernel* kernel = &default_kernel();
  const StepRule* step_rule = &default_step_rule();

  // A loop that was interrupted: its number of steps so far and its step rule's state. Null: a fresh state.
  Index first_step = 0;
  StepRule::State* state = nullptr;

  // Called with the particles after every step; for priors with bounds, which reflect them into the support.
  std::function<void(MatrixRef particles)> constrain = {};

  // What is known before a step l = first_step .. first_step+steps-1: the particles, and the scores and direction found
  // there.
  struct Trace {
    Index step;
    ConstMatrixRef particles;
    ConstMatrixRef scores;
    ConstMatrixRef direction;
  };
  // Called before every step.
  std::function<void(const Trace&)> observe = {};
  // Called before every step, after `observe`; true ends the loop without that step.
  std::function<bool(const Trace&)> stop_when = {};

  // The scores found before every step are added to this matrix (N x d); null: nobody asks. Cheaper than `observe`.
  Matrix* score_sum = nullptr;
  // Likewise the mean over the particles of their squares (d).
  RowVector* square_sum = nullptr;
  // Terms of the target that are in neither of the two sums.
  Terms beside = {};

  // Ends the loop where the root mean square of the direction's numbers is below this. 0: all steps are taken, and
  // nothing is measured. The default step rule's steps do not shrink near the end, so it stays above about 0.01; for
  // less give FallingStep, Adam or PlainStep.
  double tolerance = 0;

  // Also find the summary's KSD: one more evaluation of the scores, at the result.
  bool measure_ksd = false;
};

// The whole target: the terms, and those beside them.
Terms whole_target(const Terms& terms, const SvgdOptions& options);

// Stein variational gradient descent (Liu and Wang 2016): moves the particles (N x d), in place, towards the density
// whose score is the signed sum of the terms. Deterministic; allocates before its first step only.
//
// Throws InvalidArgument for particles that are not finite, Divergence when they are not at the end (the particles are
// then left as they came).
SvgdSummary svgd(MatrixRef particles, const Terms& terms, const SvgdOptions& options);

}  // namespace fedstein
