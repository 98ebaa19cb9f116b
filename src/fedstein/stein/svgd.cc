// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/svgd.h"

#include <cmath>

#include "fedstein/base/interruption.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/anchored_sum.h"
#include "fedstein/stein/ksd.h"
#include "fedstein/stein/svgd_step.h"

namespace fedstein {
namespace {

void check_arguments(const ConstMatrixRef& particles, const Terms& terms, const SvgdOptions& options) {
  check_not_empty("svgd", "particles", particles);
  check_finite("svgd", "particles", particles);
  check_argument(!terms.empty(), "svgd", "terms is empty; a target needs at least one score");
  check_argument(
      options.steps >= 0, "svgd", "options.steps is " + std::to_string(options.steps) + "; it must not be negative");
  check_argument(std::isfinite(options.tolerance) && options.tolerance >= 0, "svgd", [&] {
    return "options.tolerance is " + to_text(options.tolerance) + "; it must be a finite number, 0 or above";
  });
  check_argument(
      options.kernel != nullptr && options.step_rule != nullptr,
      "svgd",
      "options.kernel or options.step_rule is null; leave them at their defaults or point them at an object");
  if (options.score_sum != nullptr) {
    check_same_shape("svgd", "options.score_sum", *options.score_sum, "particles", particles);
  }
  if (options.square_sum != nullptr) check_columns("svgd", "options.square_sum", *options.square_sum, particles.cols());
  if (options.state == nullptr) return;
  for (const Matrix& part : options.state->memory()) {
    if (part.size() > 1)
      check_same_shape("svgd", "options.state's memory", part, "particles", particles);  // 1: a count
  }
}

// A value that leaves the finite numbers never returns, so one look at the end sees every divergence; in the step
// rule's memory too, where an overflow would hold the particles still.
void check_result(const Matrix& x, const StepRule::State& state, Index steps) {
  Position at = first_non_finite(x);
  for (const Matrix& part : state.memory()) {
    if (at.row < 0) at = first_non_finite(part);
  }
  if (at.row >= 0) {
    throw Divergence("svgd: particle " + std::to_string(at.row) + " is not finite in coordinate " +
                     std::to_string(at.column) + " after " + std::to_string(steps) +
                     " steps; the target's scores or the learning rate are too large");
  }
}

}  // namespace

Terms whole_target(const Terms& terms, const SvgdOptions& options) {
  Terms all = terms;
  all.insert(all.end(), options.beside.begin(), options.beside.end());
  return all;
}

SvgdSummary svgd(MatrixRef particles, const Terms& terms, const SvgdOptions& options) {
  check_arguments(particles, terms, options);
  const auto fresh = options.step_rule->start(particles.rows(), particles.cols());
  StepRule::State& state = options.state != nullptr ? *options.state : *fresh;
  const JointTerms target(terms);
  Matrix x = particles;
  SvgdStep one_step(target, options, x.rows(), x.cols());
  SvgdSummary summary;
  while (summary.steps < options.steps) {
    heed_interruption();
    if (!one_step.take(options.first_step + summary.steps, state, x)) break;
    if (options.constrain) options.constrain(x);
    ++summary.steps;
  }
  check_result(x, state, summary.steps);

  summary.stop = one_step.stop();
  summary.tolerance = options.tolerance;
  if (options.steps > 0) summary.direction = one_step.direction_norm();
  if (options.measure_ksd) {
    Matrix scores(x.rows(), x.cols());
    evaluate_terms(whole_target(terms, options), x, options.first_step + summary.steps, scores);
    summary.ksd = ksd(*options.kernel, x, scores);
  }
  particles = x;
  return summary;
}

}  // namespace fedstein
