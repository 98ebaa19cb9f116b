// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "fedstein/serving/server_desk.h"

namespace fedstein {
namespace {

std::map<std::string, std::int64_t> refusals_in(const EventLog::Counts& counts) {
  std::map<std::string, std::int64_t> out;
  for (const auto& [key, count] : counts) {
    if (key.first == EventKind::kRefusal) out[key.second] = count;
  }
  return out;
}

std::int64_t total(const EventLog::Counts& counts, EventKind kind) {
  std::int64_t out = 0;
  for (const auto& [key, count] : counts) {
    if (key.first == kind) out += count;
  }
  return out;
}

}  // namespace

DeskStatus ServerDesk::status() const {
  const std::lock_guard lock(mutex_);
  DeskStatus out{.run = session_.run(),
                 .begun = server_ != nullptr,
                 .finished = farewell_.has_value(),
                 .closed_round = session_.closed_round(),
                 .open_round = session_.open_round(),
                 .payload_up = payload_up_,
                 .payload_down = payload_down_,
                 .stranger_refusals = refusals_in(events_.counts({})),
                 .agents = {},
                 .events = events_.latest()};
  if (const EvaluatedRound* latest = evaluation_.latest()) out.evaluated = *latest;
  const std::vector<Index> missing = session_.missing();
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    const Seat& there = seat(agent);
    AgentStatus one = there.counters;
    one.attached = there.line != nullptr;
    one.bar = there.bar;
    if (const auto known = enrolments_.find(agent); known != enrolments_.end()) {
      one.enrolled = true;
      one.rows = known->second.rows;
    }
    one.last_folded = session_.last_folded(agent);
    one.waited_for = std::binary_search(missing.begin(), missing.end(), agent);
    if (one.waited_for) {
      one.lease_left_seconds = std::max(0.0, std::chrono::duration<double>(there.lease - Clock::now()).count());
    }
    const EventLog::Counts counts = events_.counts(agent);
    one.refusals = refusals_in(counts);
    one.lapses = total(counts, EventKind::kLapse);
    one.missed_deadlines = total(counts, EventKind::kDeadline);
    one.failures = total(counts, EventKind::kFailure);
    out.agents.push_back(std::move(one));
  }
  return out;
}

}  // namespace fedstein
