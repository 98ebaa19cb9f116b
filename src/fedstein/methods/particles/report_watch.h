// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/methods/particles/step_control.h"

namespace fedstein {

// Which of the agents' reports a step control may follow. One agent that lies, or whose rows are broken, must not stop
// a federation: every overflow halves the step and discards a round, and a report of -1e30 outweighs all others.
//
//   overflow     obeyed ten times; then the agent is left out of its rounds, and the halvings it caused alone are given
//                back. Obeyed always when agents with more than half of all rows overflow: then it is the step.
//   change       beyond five times the median of all agents' changes: counted three times, then not at all
//   likelihood   counted up to ten times the median's size
//
// Each is forgiven once for every twenty reports without it, which is rare enough for the step to grow meanwhile. An
// agent that is sound again is taken again at once. Medians are weighted by rows and need three agents: of two nobody
// can tell who lies.
class ReportWatch {
 public:
  explicit ReportWatch(Index agents) : agents_(static_cast<std::size_t>(agents)) {}

  struct Sifted {
    std::vector<BeliefReport> followed = {};  // in the given order, bounded
    std::vector<Index> left_out = {};         // whose updates must not be taken
    Index given_back = 0;                     // halvings of the step
    bool common_overflow = false;             // of agents with more than half of the rows
  };
  // Reports without weight are neither followed nor left out.
  Sifted sift(const std::vector<BeliefReport>& reports);

  void write(StateWriter& writer) const;
  // Throws BadState for values that sift() could not have left.
  ReportWatch read(StateReader& reader) const;

 private:
  struct Agent {
    double weight = 0;  // 0: not heard yet
    bool overflows = false;
    Index reports = 0;  // without overflow
    double likelihood = 0;
    double prior = 0;
    double change = 0;             // of the two together, since the report before
    Index overflow_debt = 0;       // in twentieths of an overflow
    Index disproportion_debt = 0;  // likewise
    Index halvings = 0;            // that it caused
  };
  void hear(const BeliefReport& report);
  bool most_overflow() const;
  // Of the agents with at least that many reports, weighted; below 0: there are fewer than three.
  double median(double Agent::*value, Index least_reports) const;

  std::vector<Agent> agents_;
};

}  // namespace fedstein
