// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fedstein/federated/state.h"

namespace fedstein {

// What an agent says of the belief it was given.
struct BeliefReport {
  Index agent = 0;
  double weight = 0;      // the agent's share of all rows
  double likelihood = 0;  // mean over the particles of the log likelihood a row; always of the same rows
  double prior = 0;       // likewise, the log prior over all rows there are
  enum class Overflow { kNone, kOfSteps, kOfBelief } overflow = Overflow::kNone;  // what left the finite numbers
};

// The step size of a federation that finds it by itself, from what agents report of the beliefs they were given.
//
// Each agent is compared with its own last report; the weighted mean of the changes decides:
//
//   risen                     step <- 1.05 step
//   fallen                    step <- 0.9 step
//   fallen by more than t     the last round is undone: step <- step / 2
//   an agent's steps overflow the round is tried again: step <- step / 2
//
//   t = max( min(0.05 age^2, 1) |log likelihood|, mean |change| of earlier rounds )
//
// `age` is the mean number of rounds since these agents last reported. It is 1 when all take part in every round. An
// agent that was not seen for long fares worse for good reasons, so that the bound grows with age. For the same reason
// the step then has a floor, 0.05 (1 - 1/age). Near the best belief half of all rounds fall, so the step dies out and
// the particles come to rest.
//
// Rounds that are undone count neither for age nor as reports. No more than ten are undone in a row for their values:
// agents that always report a fall would hold the federation still.
class StepControl {
 public:
  // kAgain: the belief is good, and half the step is tried from there.
  enum class Judgement { kKeep, kAgain, kUndo };

  StepControl(Index agents, double first_step);

  double step() const { return step_; }
  // Caps the step, for a start that is seen to be too steep.
  void at_most(double step);

  // Judges the belief of these reports, and adapts the step. Unless it is kKeep the caller leaves the round's updates
  // out; kUndo: and goes back to the belief before. Reports without weight say nothing.
  Judgement judge(const std::vector<BeliefReport>& reports);

  bool knows(Index agent) const { return at(agent).seen > 0; }

  void write(StateWriter& writer) const;
  // Throws BadState for values that judge() could not have left.
  StepControl read(StateReader& reader) const;

 private:
  struct Heard {
    double likelihood = 0;
    double prior = 0;
    Index seen = 0;  // by the clock; 0: never
  };
  // Of the agents that have reported before, weighted.
  struct Change {
    double mean = 0;  // of likelihood and prior
    double size = 0;  // |mean of the last likelihoods|
    double age = 0;
  };
  const Heard& at(Index agent) const { return heard_.at(static_cast<std::size_t>(agent)); }
  std::optional<Change> change_of(const std::vector<BeliefReport>& reports) const;
  Judgement halve(Judgement judgement);

  double step_;
  Index clock_ = 0;          // rounds kept
  double usual_change_ = 0;  // mean |change|
  Index undone_in_a_row_ = 0;
  std::vector<Heard> heard_;   // of each agent
  std::vector<Heard> before_;  // the same before the last kept round
};

}  // namespace fedstein
