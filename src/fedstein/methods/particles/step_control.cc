// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/step_control.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kGrowth = 1.05;
constexpr double kFastest = 0.7;         // shrinkage without progress
constexpr double kFastestRarely = 0.9;   // the same, of agents not seen for long
constexpr double kSlowest = 0.95;        // shrinkage with progress, of those
constexpr double kGoodGain = 0.01;       // of the log likelihood, over the window: progress
constexpr std::size_t kWindow = 10;      // rounds
constexpr std::size_t kFirstJudged = 3;  // rounds; before, progress is taken for granted
constexpr double kTolerance = 0.05;
constexpr double kMostTolerance = 0.2;  // where changes are usually large
constexpr double kUnusual = 3;          // times the usual change
constexpr double kLeastSize = 0.05;     // of a log likelihood a row; densities of regressions pass through 0
constexpr double kMemory = 0.8;         // of the usual change
constexpr Index kPatience = 10;         // undone rounds in a row
constexpr double kLeast = 1e-12;        // of a step: below it nothing moves, and floats would end

}  // namespace

StepControl::StepControl(Index agents, double first_step)
    : step_(first_step), heard_(static_cast<std::size_t>(agents)), before_(heard_) {
  check_argument(agents >= 1, "StepControl", "agents is " + std::to_string(agents) + "; it must be at least 1");
  check_positive("StepControl", "first_step", first_step);
}

void StepControl::at_most(double step) {
  step_ = std::clamp(step, kLeast, step_);
}

void StepControl::give_back(Index halvings) {
  step_ = std::ldexp(step_, static_cast<int>(halvings));
}

bool StepControl::is_exhausted() const {
  return step_ <= kLeast;
}

std::optional<StepControl::Change> StepControl::change_of(const std::vector<BeliefReport>& reports) const {
  Change change;
  double weights = 0;
  double last = 0;
  for (const BeliefReport& report : reports) {
    if (!knows(report.agent) || report.weight <= 0) continue;
    const Heard& heard = at(report.agent);
    weights += report.weight;
    change.mean += report.weight * (report.likelihood + report.prior - heard.likelihood - heard.prior);
    last += report.weight * heard.likelihood;
    change.age += report.weight * static_cast<double>(clock_ + 1 - heard.seen);
  }
  if (weights == 0) return std::nullopt;
  change.mean /= weights;
  change.size = std::abs(last / weights);
  change.age /= weights;
  return change;
}

StepControl::Judgement StepControl::halve(Judgement judgement) {
  step_ = std::max(step_ / 2, kLeast);
  young_ = false;
  if (judgement == Judgement::kUndo) {
    heard_ = before_;
    clock_ = clock_before_;
  }
  ++undone_in_a_row_;
  return judgement;
}

void StepControl::adapt(double gain, double age) {
  gains_.push_back(gain);
  if (gains_.size() > kWindow) gains_.erase(gains_.begin());
  young_ = young_ && gain >= 0;
  if (gain > 0) {
    step_ *= young_ ? first_growth_ : kGrowth;
  } else {
    const double sum = std::accumulate(gains_.begin(), gains_.end(), 0.0);
    const double progress = gains_.size() < kFirstJudged ? 1 : std::clamp(sum / kGoodGain, 0.0, 1.0);
    const double slowest = kSlowest + (1 - kSlowest) / age;
    const double fastest = kFastestRarely + (kFastest - kFastestRarely) / age;
    step_ *= fastest + (slowest - fastest) * progress;
  }
  step_ = std::max(step_, kLeast);
}

StepControl::Judgement StepControl::judge(const std::vector<BeliefReport>& reports) {
  using Overflow = BeliefReport::Overflow;
  const auto some = [&](Overflow what) {
    return std::any_of(reports.begin(), reports.end(), [&](const auto& report) { return report.overflow == what; });
  };
  if (some(Overflow::kOfBelief)) return halve(Judgement::kUndo);
  const bool steps_overflow = some(Overflow::kOfSteps);
  if (const std::optional<Change> change = change_of(reports)) {
    const bool after_undo = undone_in_a_row_ > 0;
    const double age = change->age;
    const double size = std::max(change->size, kLeastSize);
    const double least = kTolerance * age * age * size;
    const double bound = std::clamp(kUnusual * usual_change_, least, std::max(least, kMostTolerance * size));
    const bool may_undo = after_undo ? age <= 1 && undone_in_a_row_ < kPatience : true;
    if (change->mean < -bound && may_undo) return halve(Judgement::kUndo);
    if (!after_undo && !steps_overflow) {
      adapt(change->mean / size, age);
      usual_change_ = kMemory * usual_change_ + (1 - kMemory) * std::abs(change->mean);
    }
  }
  if (steps_overflow) return halve(Judgement::kAgain);
  before_ = heard_;
  clock_before_ = clock_;
  undone_in_a_row_ = 0;
  ++clock_;
  for (const BeliefReport& report : reports) {
    if (report.weight > 0) {
      heard_.at(static_cast<std::size_t>(report.agent)) = {report.likelihood, report.prior, clock_};
    }
  }
  return Judgement::kKeep;
}

void StepControl::write(StateWriter& writer) const {
  writer.number(step_);
  writer.number(first_growth_);
  writer.number(usual_change_);
  writer.integer(clock_);
  writer.integer(clock_before_);
  writer.integer(undone_in_a_row_);
  writer.integer(young_ ? 1 : 0);
  writer.integer(static_cast<std::int64_t>(gains_.size()));
  for (const double gain : gains_) writer.number(gain);
  for (const auto* list : {&heard_, &before_}) {
    for (const Heard& heard : *list) {
      writer.number(heard.likelihood);
      writer.number(heard.prior);
      writer.integer(heard.seen);
    }
  }
}

StepControl StepControl::read(StateReader& reader) const {
  StepControl found = *this;
  found.step_ = reader.number();
  found.first_growth_ = reader.number();
  found.usual_change_ = reader.number();
  found.clock_ = reader.integer();
  found.clock_before_ = reader.integer();
  found.undone_in_a_row_ = reader.integer();
  found.young_ = reader.integer() != 0;
  const std::int64_t gains = reader.integer();
  bool sound = gains >= 0 && gains <= static_cast<std::int64_t>(kWindow);
  found.gains_.clear();
  for (std::int64_t i = 0; sound && i < gains; ++i) {
    found.gains_.push_back(reader.number());
    sound = std::isfinite(found.gains_.back());
  }
  sound = sound && std::isfinite(found.step_) && found.step_ > 0 && found.first_growth_ >= 1 &&
          found.first_growth_ <= kFirstGrowth && std::isfinite(found.usual_change_) && found.usual_change_ >= 0 &&
          found.clock_before_ >= 0 && found.clock_ >= found.clock_before_ && found.undone_in_a_row_ >= 0;
  for (auto* list : {&found.heard_, &found.before_}) {
    for (Heard& heard : *list) {
      heard.likelihood = reader.number();
      heard.prior = reader.number();
      heard.seen = reader.integer();
      sound = sound && std::isfinite(heard.likelihood) && std::isfinite(heard.prior) && heard.seen >= 0 &&
              heard.seen <= found.clock_;
    }
  }
  if (!sound) throw BadState("saved state: a step control that no round could have left");
  return found;
}

}  // namespace fedstein
