// SPDX-License-Identifier: Apache-2.0
// What the agents' sums say together, round by round: nobody's rows, the figures of everybody's.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "fedstein/exchange/letters.h"

namespace fedstein {

// Of the belief after one round, over the agents that have evaluated it.
struct EvaluatedRound {
  Index round = 0;
  std::set<Index> agents = {};
  EvaluationSums sums = {};
  // Those of the sums, and `agents`: how many there are. Needs an agent.
  std::map<std::string, double> figures() const;
};

class FederatedEvaluation {
 public:
  // What every agent's sums must be.
  explicit FederatedEvaluation(const EvaluationShape& shape) : shape_(shape) {}

  // Why the report is not taken; empty: it is. An agent's first report of a round counts: it may send it again after a
  // lost line, and cannot take it back. closed_round: the last one whose belief there is.
  std::string take(Index agent, const EvaluationReport& report, Index closed_round);
  // Null: nobody has evaluated it, or it is too long ago.
  const EvaluatedRound* of(Index round) const;
  // Of the belief that most agents evaluated last: no single agent decides which. Of several the newest, but not while
  // the one before it has more agents. Null before the first report.
  const EvaluatedRound* latest() const;
  // The last round that the agent has evaluated; 0: none.
  Index last_of(Index agent) const;
  // The oldest round that is still taken.
  static Index oldest(Index closed_round);

 private:
  EvaluationShape shape_;
  std::map<Index, EvaluatedRound> rounds_;
  std::map<Index, Index> last_;  // by agent
};

}  // namespace fedstein
