// SPDX-License-Identifier: Apache-2.0
// How agents come and go: enrolment, two processes under one name, the line of letters.
#include <algorithm>
#include <utility>

#include "fedstein/base/text.h"
#include "fedstein/exchange/printable.h"
#include "fedstein/serving/server_desk.h"

namespace fedstein {

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
// good once the first has been heard of since: it is asked for a heartbeat, which it sends at once. A first one that
// stays silent for a lease (its machine is gone, and nothing has told the server) loses the seat.
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
    there.line->push(BeatRequest{});
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
  there.evaluates = facts.evaluates;
  there.heard = Clock::now();
  there.challenger = 0;
  there.line = std::move(line);
  there.in_hand = hello.in_hand;
  there.counters.left = false;
  there.counters.away_since.clear();
  there.counters.away_because.clear();
  renew_lease(agent);
  if (server_ != nullptr) welcome(agent);
  return {};
}

void ServerDesk::welcome(Index agent) {
  Seat& there = seat(agent);
  Beginning beginning{.agents = static_cast<Index>(seats_.size()),
                      .total_rows = 0,
                      .statistics = total_statistics_,
                      .last_folded = session_.last_folded(agent),
                      .evaluations_from = std::max({options_.evaluation.from,
                                                    evaluation_.last_of(agent) + 1,
                                                    FederatedEvaluation::oldest(session_.closed_round())})};
  for (const auto& [number, enrolment] : enrolments_) beginning.total_rows += enrolment.rows;
  there.line->push(beginning);
  if (there.in_hand) there.line->push(Notice{*there.in_hand, session_.standing(agent, *there.in_hand)});
  there.in_hand.reset();
  offer_work();
  if (farewell_) there.line->push(*farewell_);
}

void ServerDesk::detach(Index agent, const PushLine* line) {
  const std::lock_guard lock(mutex_);
  Seat& there = seat(agent);
  if (there.line.get() != line) return;
  there.line.reset();
  note_away(there, there.counters.left ? "it has said goodbye" : "its connection ended");
  session_.on_detach(agent);
}

void ServerDesk::note_away(Seat& seat, const std::string& why) {
  seat.counters.away_since = utc_now();
  seat.counters.away_because = why;
}

}  // namespace fedstein
