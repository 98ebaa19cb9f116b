// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/svgd.h"

#include "fedstein/numeric/check.h"
#include "fedstein/stein/anchored_sum.h"
#include "fedstein/stein/svgd_step.h"

namespace fedstein {
namespace {

void check_arguments(const ConstMatrixRef& particles, const Terms& terms, const SvgdOptions& options) {
  check_not_empty("svgd", "particles", particles);
  check_finite("svgd", "particles", particles);
  check_argument(!terms.empty(), "svgd", "terms is empty; a target needs at least one score");
  check_argument(
      options.steps >= 0, "svgd", "options.steps is " + std::to_string(options.steps) + "; it must not be negative");
  check_argument(
      options.kernel != nullptr && options.step_rule != nullptr,
      "svgd",
      "options.kernel or options.step_rule is null; leave them at their defaults or point them at an object");
  if (options.state == nullptr) return;
  for (const Matrix& part : options.state->memory()) {
    if (part.size() > 1)
      check_same_shape("svgd", "options.state's memory", part, "particles", particles);  // 1: a count
  }
}

}  // namespace

void svgd(MatrixRef particles, const Terms& terms, const SvgdOptions& options) {
  check_arguments(particles, terms, options);
  const auto fresh = options.step_rule->start(particles.rows(), particles.cols());
  StepRule::State& state = options.state != nullptr ? *options.state : *fresh;
  const JointTerms target(terms);
  Matrix x = particles;
  SvgdStep one_step(target, options, x.rows(), x.cols());
  for (Index step = options.first_step; step < options.first_step + options.steps; ++step) {
    one_step.take(step, state, x);
    if (options.constrain) options.constrain(x);
  }

  // A value that leaves the finite numbers never returns, so one look at the end sees every divergence; in the step
  // rule's memory too, where an overflow would hold the particles still.
  Position at = first_non_finite(x);
  for (const Matrix& part : state.memory()) {
    if (at.row < 0) at = first_non_finite(part);
  }
  if (at.row >= 0) {
    throw Divergence("svgd: particle " + std::to_string(at.row) + " is not finite in coordinate " +
                     std::to_string(at.column) + " after " + std::to_string(options.steps) +
                     " steps; the target's scores or the learning rate are too large");
  }
  particles = x;
}

}  // namespace fedstein
