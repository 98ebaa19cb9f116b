// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/agents_of_rounds.h"

#include <algorithm>

namespace fedstein {
namespace {

constexpr std::size_t kMostEvents = 60;

}  // namespace

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
    const bool late = failure.kind == Failure::Kind::kTimedOut;
    ++(late ? one.missed_deadlines : one.failures);
    if (!one.attached) one.away_because = failure.reason;
    events_.push_back({.kind = late ? EventKind::kDeadline : EventKind::kFailure,
                       .agent = one.name,
                       .reason = "round " + std::to_string(record.round) + ": " + failure.reason});
    if (events_.size() > kMostEvents) events_.erase(events_.begin());
  }
}

DeskStatus AgentsOfRounds::status(bool finished) const {
  DeskStatus out;
  out.begun = closed_round_ > 0;
  out.finished = finished;
  out.closed_round = closed_round_;
  out.agents = agents_;
  out.events = events_;
  return out;
}

}  // namespace fedstein
