// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/agents_of_rounds.h"

#include <algorithm>

namespace fedstein {

AgentsOfRounds::AgentsOfRounds(const std::vector<std::string>& names) {
  for (const std::string& name : names) agents_.push_back({.name = name});
}

// An agent is here when the last round that asked for it got its update.
void AgentsOfRounds::note(const RoundRecord& record) {
  closed_round_ = std::max(closed_round_, record.round);
  const auto count = static_cast<Index>(agents_.size());
  for (const Index agent : record.scheduled) {
    if (agent < 0 || agent >= count) continue;
    AgentStatus& one = agents_[static_cast<std::size_t>(agent)];
    one.attached = std::find(record.folded.begin(), record.folded.end(), agent) != record.folded.end();
    one.enrolled = true;
    one.away_because.clear();
    if (one.attached) one.last_folded = record.round;
  }
  for (const Failure& failure : record.failures) {
    if (failure.agent < 0 || failure.agent >= count) continue;
    AgentStatus& one = agents_[static_cast<std::size_t>(failure.agent)];
    ++(failure.kind == Failure::Kind::kTimedOut ? one.missed_deadlines : one.failures);
    if (!one.attached) one.away_because = failure.reason;
  }
}

DeskStatus AgentsOfRounds::status(bool finished) const {
  DeskStatus out;
  out.begun = closed_round_ > 0;
  out.finished = finished;
  out.closed_round = closed_round_;
  out.agents = agents_;
  return out;
}

}  // namespace fedstein
