// SPDX-License-Identifier: Apache-2.0
// The agents' side of the desk.
#include <algorithm>
#include <utility>

#include "fedstein/rpc/server_desk.h"

namespace fedstein {

std::optional<Index> ServerDesk::number_of(const std::string& name) const {
  const auto found = std::find(options_.agents.begin(), options_.agents.end(), name);
  if (found == options_.agents.end()) return std::nullopt;
  return found - options_.agents.begin();
}

Charter ServerDesk::charter(Index agent) const {
  constexpr double kBeatsPerLease = 4;  // three may be lost
  const std::lock_guard lock(mutex_);
  return {.run = session_.run(),
          .agent = agent,
          .agents = static_cast<Index>(options_.agents.size()),
          .document = options_.document,
          .heartbeat_seconds = options_.lease_seconds / kBeatsPerLease};
}

std::optional<Denial> ServerDesk::enrol(Index agent, const AgentFacts& facts) {
  const auto refuse = [](const std::string& reason) { return Denial{Denial::Kind::kRefused, reason}; };
  if (facts.algorithm != options_.algorithm) {
    return refuse("it would run '" + facts.algorithm + "'; this federation runs '" + options_.algorithm + "'");
  }
  if (facts.dimension != options_.dimension) {
    return refuse("its model has " + std::to_string(facts.dimension) + " parameters; this federation's has " +
                  std::to_string(options_.dimension));
  }
  if (facts.rows < 1) return refuse("it has no rows; at least 1 is needed");
  if (const auto known = enrolments_.find(agent); known != enrolments_.end()) {
    const Enrolment& then = known->second;
    if (then.rows == facts.rows && then.features == facts.features && then.statistics == facts.statistics) return {};
    return refuse("its data changed: it enrolled with " + std::to_string(then.rows) + " rows and comes with " +
                  std::to_string(facts.rows) + (then.rows == facts.rows ? " others" : ""));
  }
  const Enrolment enrolment{agent, facts.rows, facts.features, facts.statistics};
  journal_.enrol(enrolment);
  enrolments_[agent] = enrolment;
  changed_.notify_all();
  return {};
}

// Two processes under one name. The first keeps the seat while it lives: a newcomer is sent away for a moment, and for
// good once the first has been heard of since. A first one that stays silent for a lease (its machine is gone, and
// nothing has told the server) loses the seat.
std::optional<Denial> ServerDesk::rivalry(Index agent, std::uint64_t instance) {
  Seat& there = seat(agent);
  const auto now = Clock::now();
  const bool silent = std::chrono::duration<double>(now - there.heard).count() > options_.lease_seconds;
  if (!there.line || there.instance == instance || silent) return {};
  const std::string other = "another agent named '" + name_of(agent) + "' is connected";
  if (there.challenger == instance && there.heard > there.challenge) {
    return Denial{Denial::Kind::kRefused, other + " and alive; stop it first, or give this one a name of its own"};
  }
  if (there.challenger != instance) {
    there.challenger = instance;
    there.challenge = now;
  }
  return Denial{Denial::Kind::kLater, other + "; its seat is free when it leaves or stays silent"};
}

std::optional<Denial> ServerDesk::attend(Index agent,
                                         const AgentFacts& facts,
                                         const Hello& hello,
                                         std::shared_ptr<PushLine> line) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return Denial{Denial::Kind::kLater, "the server is about to stop"};
  if (auto denial = rivalry(agent, facts.instance)) return denial;
  if (auto denial = enrol(agent, facts)) return denial;
  if (std::string reason = session_.on_hello(agent, hello, journal_); !reason.empty()) {
    return Denial{Denial::Kind::kRefused, std::move(reason)};
  }
  Seat& there = seat(agent);
  // An agent has one line: whatever held the old one is gone, or is about to notice.
  if (there.line) there.line->hang_up();
  there.instance = facts.instance;
  there.heard = Clock::now();
  there.challenger = 0;
  there.line = std::move(line);
  there.holding = hello.holding;
  there.counters.left = false;
  renew_lease(agent);
  if (server_ != nullptr) welcome(agent);
  return {};
}

void ServerDesk::welcome(Index agent) {
  Seat& there = seat(agent);
  Beginning beginning;
  for (const auto& [number, enrolment] : enrolments_) {
    beginning.rows.push_back(enrolment.rows);
    beginning.statistics.push_back(enrolment.statistics);
  }
  beginning.last_folded = session_.last_folded(agent);
  there.line->push(beginning);
  if (there.holding) there.line->push(Notice{*there.holding, session_.standing(agent, *there.holding)});
  there.holding.reset();
  offer_work();
  if (farewell_) there.line->push(*farewell_);
}

void ServerDesk::detach(Index agent, const PushLine* line) {
  const std::lock_guard lock(mutex_);
  Seat& there = seat(agent);
  if (there.line.get() != line) return;
  there.line.reset();
  session_.on_detach(agent);
}

Standing ServerDesk::upload(Index agent, const Upload& upload) {
  const std::lock_guard lock(mutex_);
  if (server_ == nullptr) return {Standing::Kind::kLater, 0, {}};
  if (const auto* update = std::get_if<Update>(&upload.reply)) payload_up_ += payload_bytes(update->belief);
  ServerSession::Receipt receipt = session_.on_upload(agent, upload, *server_, journal_);
  if (!receipt.suspicion.none()) ++seat(agent).counters.refusals[receipt.suspicion.kind];
  changed_.notify_all();
  return std::move(receipt.standing);
}

Standing ServerDesk::ask(Index agent, const Holding& attempt) {
  const std::lock_guard lock(mutex_);
  return session_.standing(agent, attempt);
}

bool ServerDesk::beat(Index agent, Token token, std::uint64_t instance) {
  const std::lock_guard lock(mutex_);
  Seat& there = seat(agent);
  if (there.line && there.instance != instance) return false;
  there.heard = Clock::now();
  const bool current = token == 0 || token == session_.current_token(agent);
  if (current) renew_lease(agent);
  return current;
}

void ServerDesk::report_failure(Index agent, const Failure& failure) {
  const std::lock_guard lock(mutex_);
  late_failures_.push_back({failure.round, agent, failure.kind, failure.reason});
}

void ServerDesk::report_calibration(Index agent, const CalibrationCounts& counts) {
  const std::lock_guard lock(mutex_);
  seat(agent).counters.calibration = counts;
}

void ServerDesk::leave(Index agent) {
  const std::lock_guard lock(mutex_);
  seat(agent).counters.left = true;
  changed_.notify_all();
}

void ServerDesk::count_refusal(std::optional<Index> agent, const std::string& kind) {
  const std::lock_guard lock(mutex_);
  ++(agent ? seat(*agent).counters.refusals : stranger_refusals_)[kind];
}

void ServerDesk::count_bytes(Index agent, std::int64_t in, std::int64_t out) {
  const std::lock_guard lock(mutex_);
  seat(agent).counters.bytes_in += in;
  seat(agent).counters.bytes_out += out;
}

DeskStatus ServerDesk::status() const {
  const std::lock_guard lock(mutex_);
  DeskStatus out{.run = session_.run(),
                 .begun = server_ != nullptr,
                 .finished = farewell_.has_value(),
                 .closed_round = session_.closed_round(),
                 .open_round = session_.open_round(),
                 .payload_up = payload_up_,
                 .payload_down = payload_down_,
                 .stranger_refusals = stranger_refusals_,
                 .agents = {}};
  if (const std::int64_t count = handshake_refusals_; count > 0) out.stranger_refusals["tls"] = count;
  const std::vector<Index> missing = session_.missing();
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    const Seat& there = seats_[static_cast<std::size_t>(agent)];
    AgentStatus one = there.counters;
    one.attached = there.line != nullptr;
    if (const auto known = enrolments_.find(agent); known != enrolments_.end()) {
      one.enrolled = true;
      one.rows = known->second.rows;
    }
    one.last_folded = session_.last_folded(agent);
    if (std::binary_search(missing.begin(), missing.end(), agent)) {
      one.lease_left_seconds = std::max(0.0, std::chrono::duration<double>(there.lease - Clock::now()).count());
    }
    out.agents.push_back(std::move(one));
  }
  return out;
}

}  // namespace fedstein
