// SPDX-License-Identifier: Apache-2.0
// The agents' side of the desk. What agents say is believed as far as it was checked, and no further.
#include <algorithm>
#include <utility>

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

Standing ServerDesk::ask(Index agent, const Attempt& attempt) {
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

// One for each round that took an update of this agent in: an agent can say no more than happened to it. Of round 0
// before it attends: it cannot take part.
std::string ServerDesk::report_failure(Index agent, const Failure& failure) {
  const std::lock_guard lock(mutex_);
  Seat& there = seat(agent);
  if (failure.round == 0 && !there.line) {
    events_.add(EventKind::kFailure, agent, "preparation", "it cannot take part: " + failure.reason);
    return {};
  }
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

std::string ServerDesk::report_evaluation(Index agent, const EvaluationReport& report) {
  const std::lock_guard lock(mutex_);
  if (!options_.evaluation.predicts) return "an evaluation; the model of this federation predicts nothing";
  std::string why = evaluation_.take(agent, report, session_.closed_round());
  if (!why.empty()) return why;
  AgentStatus& counters = seat(agent).counters;
  if (report.round >= counters.evaluated_round) {
    counters.evaluated_round = report.round;
    counters.evaluated_rows = report.sums.rows;
  }
  if (options_.evaluation.on_evaluated) options_.evaluation.on_evaluated(*evaluation_.of(report.round));
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
