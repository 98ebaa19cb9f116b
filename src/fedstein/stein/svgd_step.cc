// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/svgd_step.h"

#include <cmath>
#include <optional>

#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/scratch.h"
#include "fedstein/stein/direction.h"

namespace fedstein {
namespace {

constexpr Index kNumbersPerPiece = 1 << 17;

}  // namespace

SvgdStep::SvgdStep(const JointTerms& target, const SvgdOptions& options, Index rows, Index columns)
    : target_(&target),
      options_(&options),
      block_(SteinDirection::columns_per_block(rows)),
      observed_(options.observe || options.stop_when || options.tolerance > 0) {
  if (observed_ || !target.others().empty()) scores_.resize(rows, columns);
  if (observed_) direction_.resize(rows, columns);
  if (!options.beside.empty()) beside_.resize(rows, columns);
}

std::optional<double> SvgdStep::direction_norm() const {
  if (!observed_) return std::nullopt;
  return std::sqrt(direction_.cast<double>().squaredNorm() / static_cast<double>(direction_.size()));
}

bool SvgdStep::goes_on(Index step, const Matrix& x) {
  const SvgdOptions::Trace at{step, x, scores_, direction_};
  if (options_->observe) options_->observe(at);
  if (options_->tolerance > 0 && *direction_norm() < options_->tolerance) {
    stop_ = SvgdStop::kTolerance;
  } else if (options_->stop_when && options_->stop_when(at)) {
    stop_ = SvgdStop::kCallback;
  }
  return stop_ == SvgdStop::kAllSteps;
}

void SvgdStep::evaluate(const Terms& terms, const Matrix& x, Index step, Matrix& scores) {
  parallel_for(scores.size(), kNumbersPerPiece, [&](Index begin, Index end) {
    std::fill(scores.data() + begin, scores.data() + end, Real{0});
  });
  for (const Term& term : terms) term.score->add(x, step, term.weight, scores);
}

bool SvgdStep::take(Index step, StepRule::State& state, Matrix& x) {
  const bool alone = !target_->others().empty();
  if (alone) evaluate(target_->others(), x, step, scores_);
  if (!options_->beside.empty()) evaluate(options_->beside, x, step, beside_);
  std::optional<AnchoredSum::At> joined;
  if (target_->joined() != nullptr) joined.emplace(*target_->joined(), x);
  const SteinDirection direction(*options_->kernel, x);

  if (!observed_) state.begin_step();
  parallel_for(x.cols(), block_, [&](Index begin, Index end) {
    const Index columns = end - begin;
    Scratch score(x.rows(), columns);
    Scratch phi(x.rows(), columns);
    if (alone) {
      *score = scores_.middleCols(begin, columns);
    } else {
      score->setZero();
    }
    if (joined) joined->add_columns(begin, *score);
    if (options_->score_sum != nullptr) options_->score_sum->middleCols(begin, columns) += *score;
    if (options_->square_sum != nullptr) {
      options_->square_sum->segment(begin, columns) += score->cwiseAbs2().colwise().mean();
    }
    if (!options_->beside.empty()) *score += beside_.middleCols(begin, columns);
    if (observed_) scores_.middleCols(begin, columns) = *score;
    direction.columns(begin, *score, *phi);
    if (observed_) {
      direction_.middleCols(begin, columns) = *phi;
    } else {
      state.move_columns(begin, *phi, x.middleCols(begin, columns));
    }
  });
  if (!observed_) return true;
  if (!goes_on(step, x)) return false;
  state.begin_step();
  parallel_for(x.cols(), block_, [&](Index begin, Index end) {
    state.move_columns(begin, direction_.middleCols(begin, end - begin), x.middleCols(begin, end - begin));
  });
  return true;
}

}  // namespace fedstein
