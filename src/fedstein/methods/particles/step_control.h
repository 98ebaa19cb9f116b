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

// A step's growth until the first fall; the second where the server has a momentum, which lengthens steps by itself.
inline constexpr double kFirstGrowth = 1.2;
inline constexpr double kFirstGrowthOfMoves = 1.1;

// The step size of a federation that finds it by itself, from what agents report of the beliefs they were given.
//
// Each agent is compared with its own last report. The weighted mean of the changes decides, and how much was gained in
// the last ten rounds, both relative to the log likelihood's size:
//
//   risen                       step <- 1.05 step; 1.2 or 1.1 step until something falls for the first time
//   fallen                      step <- (p + (q - p) progress) step,   p = 0.9 - 0.2 / age,   q = 0.95 + 0.05 / age
//                               progress = gain of ten rounds / 1 %, between 0 and 1
//   fallen by more than t       the last round is undone: step <- step / 2
//                               t = 0.05 age^2; where age is 1 up to 0.2, at three times the mean |change| so far
//   an agent's steps overflow   where the belief has not fallen so far: the round is tried again: step <- step / 2
//
// As long as there is progress falls cost nothing: agents that differ gain slowly, with one fall in three, whatever the
// step. Without progress half of all rounds fall and the step dies out, so that particles come to rest.
//
// `age` is the mean number of rounds since these agents last reported: 1 when all take part in every round. An agent
// that was not seen for long fares worse for good reasons, so that the bound grows with age. It would do so again after
// the round is undone; where age is above 1 no two rounds in a row are undone for their values, and nowhere more than
// ten.
//
// Rounds that are undone count neither for age nor as reports. The round after one repeats what is known, and leaves
// the step as it is.
class StepControl {
 public:
  // kAgain: the belief is good, and half the step is tried from there.
  enum class Judgement { kKeep, kAgain, kUndo };

  StepControl(Index agents, double first_step);

  double step() const { return step_; }
  // Until the first fall.
  void grow_first_by(double factor) { first_growth_ = factor; }
  // Caps the step, for a start that is seen to be too steep.
  void at_most(double step);

  // Takes halvings back whose reason was none.
  void give_back(Index halvings);
  // Whether smaller steps would not move anything any more.
  bool is_exhausted() const;

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
  // gain: a round's change, relative to the log likelihood's size.
  void adapt(double gain, double age);

  double step_;
  double first_growth_ = kFirstGrowthOfMoves;
  Index clock_ = 0;          // rounds kept
  Index clock_before_ = 0;   // the same before the last of them
  double usual_change_ = 0;  // mean |change|
  Index undone_in_a_row_ = 0;
  bool young_ = true;          // nothing has fallen so far
  std::vector<double> gains_;  // the last ten
  std::vector<Heard> heard_;   // of each agent
  std::vector<Heard> before_;  // the same before the last kept round
};

}  // namespace fedstein
