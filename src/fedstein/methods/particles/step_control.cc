// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/step_control.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr double kGrowth = 1.05;
constexpr double kShrinkage = 0.9;
constexpr double kTolerance = 0.05;
constexpr double kFloor = 0.05;
constexpr double kMemory = 0.8;   // of the usual change
constexpr Index kPatience = 10;   // undone rounds in a row
constexpr double kLeast = 1e-12;  // of a step: below it nothing moves, and floats would end

}  // namespace

StepControl::StepControl(Index agents, double first_step)
    : step_(first_step), heard_(static_cast<std::size_t>(agents)), before_(heard_) {
  check_argument(agents >= 1, "StepControl", "agents is " + std::to_string(agents) + "; it must be at least 1");
  check_positive("StepControl", "first_step", first_step);
}

void StepControl::at_most(double step) {
  step_ = std::clamp(step, kLeast, step_);
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
  if (judgement == Judgement::kUndo) heard_ = before_;
  ++undone_in_a_row_;
  return judgement;
}

StepControl::Judgement StepControl::judge(const std::vector<BeliefReport>& reports) {
  using Overflow = BeliefReport::Overflow;
  const auto some = [&](Overflow what) {
    return std::any_of(reports.begin(), reports.end(), [&](const auto& report) { return report.overflow == what; });
  };
  if (some(Overflow::kOfBelief)) return halve(Judgement::kUndo);
  if (some(Overflow::kOfSteps)) return halve(Judgement::kAgain);
  if (const std::optional<Change> change = change_of(reports)) {
    const double bound = std::max(std::min(kTolerance * change->age * change->age, 1.0) * change->size, usual_change_);
    if (change->mean < -bound && undone_in_a_row_ < kPatience) return halve(Judgement::kUndo);
    const double floor = std::min(step_, kFloor * (1 - 1 / change->age));
    step_ = std::max(step_ * (change->mean > 0 ? kGrowth : kShrinkage), std::max(floor, kLeast));
    usual_change_ = kMemory * usual_change_ + (1 - kMemory) * std::abs(change->mean);
  }
  before_ = heard_;
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
  writer.number(usual_change_);
  writer.integer(clock_);
  writer.integer(undone_in_a_row_);
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
  found.usual_change_ = reader.number();
  found.clock_ = reader.integer();
  found.undone_in_a_row_ = reader.integer();
  bool sound = std::isfinite(found.step_) && found.step_ > 0 && std::isfinite(found.usual_change_) &&
               found.usual_change_ >= 0 && found.clock_ >= 0 && found.undone_in_a_row_ >= 0;
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
