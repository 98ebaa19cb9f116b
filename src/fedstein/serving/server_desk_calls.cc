// SPDX-License-Identifier: Apache-2.0
// The agents' side of the desk. What agents say is believed as far as it was checked, and no further.
#include <algorithm>
#include <utility>

#include "fedstein/exchange/printable.h"
#include "fedstein/serving/server_desk.h"

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

std::string ServerDesk::enrolment_objection(Index agent, const AgentFacts& facts) const {
  const EnrolmentRules& rules = options_.enrolment;
  if (facts.algorithm != options_.algorithm) {
    return "it would run '" + printable(facts.algorithm, 40) + "'; this federation runs '" + options_.algorithm + "'";
  }
  if (facts.dimension != options_.dimension) {
    return "its model has " + std::to_string(facts.dimension) + " parameters; this federation's has " +
           std::to_string(options_.dimension);
  }
  if (facts.rows < 1) return "it has no rows; at least 1 is needed";
  if (facts.rows > rules.most_rows) {
    return "it has " + std::to_string(facts.rows) + " rows; at most " + std::to_string(rules.most_rows) +
           " are allowed (most_rows of the server's table [server])";
  }
  if (rules.features > 0 && facts.features != rules.features) {
    return "its rows have " + std::to_string(facts.features) + " features; this federation's have " +
           std::to_string(rules.features);
  }
  if (const auto known = enrolments_.find(agent); known != enrolments_.end()) {
    const Enrolment& then = known->second;
    if (then.rows == facts.rows && then.features == facts.features && then.statistics == facts.statistics) return {};
    return "its data changed: it enrolled with " + std::to_string(then.rows) + " rows and comes with " +
           std::to_string(facts.rows) + (then.rows == facts.rows ? " others" : "") +
           "; before the first round the server can be started once with --drop-enrolment " + name_of(agent);
  }
  if (rules.objection) return rules.objection(facts, enrolments_);
  return facts.statistics.empty() ? "" : "it sends sums of its columns; this federation's scaling needs none";
}

// After everything else that could turn the agent away: what is refused leaves nothing behind.
void ServerDesk::enrol(Index agent, const AgentFacts& facts) {
  if (enrolments_.contains(agent)) return;
  const Enrolment enrolment{agent, facts.rows, facts.features, facts.statistics};
  try {
    journal_.enrol(enrolment);
  } catch (...) {
    session_.on_detach(agent);
    throw;
  }
  enrolments_[agent] = enrolment;
  events_.add(EventKind::kNotice,
              {},
              "enrolment",
              name_of(agent) + " has enrolled with " + std::to_string(facts.rows) +
                  " rows: " + std::to_string(enrolments_.size()) + " of " + std::to_string(agents()) + " agents");
  changed_.notify_all();
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
  if (std::string reason = enrolment_objection(agent, facts); !reason.empty()) {
    return Denial{Denial::Kind::kRefused, std::move(reason)};
  }
  const bool gives_up = hello.forgets && hello.settled < session_.last_folded(agent);
  if (std::string reason = session_.on_hello(agent, hello, journal_); !reason.empty()) {
    return Denial{Denial::Kind::kRefused, std::move(reason)};
  }
  enrol(agent, facts);
  if (gives_up) {
    events_.add(EventKind::kNotice,
                {},
                "forgotten factor",
                name_of(agent) + " has given its state up (--forget-factor): its data count twice from here on");
  }
  Seat& there = seat(agent);
  // An agent has one line: whatever held the old one is gone, or is about to notice.
  if (there.line) there.line->hang_up();
  if (there.lapsed || there.overdue) events_.add(EventKind::kRetry, agent, "back", "it is back");
  if (!there.bar.empty()) events_.add(EventKind::kRevocation, agent, "back", "it has a certificate that is good");
  there.bar.clear();
  there.skipped = false;
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
  Beginning beginning{.agents = static_cast<Index>(seats_.size()),
                      .total_rows = 0,
                      .statistics = total_statistics_,
                      .last_folded = session_.last_folded(agent)};
  for (const auto& [number, enrolment] : enrolments_) beginning.total_rows += enrolment.rows;
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
  if (server_ == nullptr || stopping_) return {Standing::Kind::kLater, 0, {}};
  const auto* update = std::get_if<Update>(&upload.reply);
  if (update != nullptr) payload_up_ += payload_bytes(update->belief);
  const Index round = session_.open_round();
  ServerSession::Receipt receipt = session_.on_upload(agent, upload, *server_, journal_);
  Seat& there = seat(agent);
  if (!receipt.suspicion.none()) {
    events_.add(EventKind::kRefusal, agent, receipt.suspicion.kind, receipt.suspicion.sentence);
  } else if (receipt.standing.kind == Standing::Kind::kHeld && update != nullptr) {
    there.misses = 0;
    // An attempt from before a restart was not offered by this process: how long it took is not known.
    if (there.offered != Clock::time_point{}) {
      there.answer_seconds = std::chrono::duration<double>(Clock::now() - there.offered).count();
    }
  } else if (receipt.standing.kind == Standing::Kind::kHeld) {
    const auto& failure = std::get<Failure>(upload.reply);
    events_.add(EventKind::kFailure,
                agent,
                fedstein::name_of(failure.kind),
                "round " + std::to_string(round) + ": " + failure.reason);
  }
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

// One for each round that took an update of this agent in: an agent can say no more than happened to it.
std::string ServerDesk::report_failure(Index agent, const Failure& failure) {
  const std::lock_guard lock(mutex_);
  Seat& there = seat(agent);
  const Index last = session_.last_folded(agent);
  if (failure.round <= there.reported_round || failure.round > last) {
    return "a failed settling of round " + std::to_string(failure.round) +
           "; the last round of this agent that counts is " + std::to_string(last) +
           (there.reported_round == last ? ", and it has reported that one" : "");
  }
  there.reported_round = failure.round;
  events_.add(
      EventKind::kFailure,
      agent,
      "settling",
      "round " + std::to_string(failure.round) + " counts its update, but settling it has failed: " + failure.reason);
  late_failures_.push_back({failure.round, agent, failure.kind, failure.reason});
  return {};
}

std::string ServerDesk::report_calibration(Index agent, const CalibrationCounts& counts) {
  const std::lock_guard lock(mutex_);
  if (counts.version < 0 || counts.version > session_.closed_round()) {
    return "calibration of belief " + std::to_string(counts.version) + "; the newest there is has number " +
           std::to_string(session_.closed_round());
  }
  if (options_.bins > 0 && static_cast<Index>(counts.bins.size()) != options_.bins) {
    return "calibration in " + std::to_string(counts.bins.size()) + " bins; this federation has " +
           std::to_string(options_.bins);
  }
  std::int64_t left = options_.enrolment.most_rows;
  for (const ReliabilityBin& bin : counts.bins) {
    if (bin.count > left) {
      return "calibration over more than " + std::to_string(options_.enrolment.most_rows) + " test rows (most_rows)";
    }
    left -= bin.count;
  }
  seat(agent).counters.calibration = counts;
  return {};
}

void ServerDesk::leave(Index agent) {
  const std::lock_guard lock(mutex_);
  seat(agent).counters.left = true;
  changed_.notify_all();
}

// Takes no lock but the log's: gRPC may tell of a failed handshake from inside a call of ours.
void ServerDesk::refused(std::optional<Index> agent, const std::string& kind, const std::string& reason) {
  events_.add(EventKind::kRefusal, agent, kind, reason);
}

void ServerDesk::refused_again(std::optional<Index> agent, const std::string& kind, const std::string& reason) {
  events_.add(EventKind::kRefusal, agent, kind, reason, EventLog::Line::kNone);
}

void ServerDesk::noticed(const std::string& kind, const std::string& what) {
  events_.add(EventKind::kNotice, {}, kind, what);
}

void ServerDesk::count_bytes(Index agent, std::int64_t in, std::int64_t out) {
  const std::lock_guard lock(mutex_);
  seat(agent).counters.bytes_in += in;
  seat(agent).counters.bytes_out += out;
}

void ServerDesk::ask_for_bars(std::function<std::string(Index agent)> bar) {
  const std::lock_guard lock(mutex_);
  bar_ = std::move(bar);
}

}  // namespace fedstein
