// SPDX-License-Identifier: Apache-2.0
// What becomes of an answer, or of the engine's word that there is none.
#include <algorithm>
#include <utility>

#include "fedstein/exchange/printable.h"
#include "fedstein/relay/relay_hub.h"

namespace fedstein {
namespace {

constexpr Index kNobody = 0;  // whose answer it is while that is not known: only a name is read from it

// A name alone is no seat: whoever has none can say of itself that it cannot take part, and nothing of rounds.
std::string reason_to_stay_away(const RelayAnswer& answer) {
  for (const Failure& failure : answer.failures) {
    if (failure.round == 0) return failure.reason;
  }
  return {};
}

}  // namespace

void RelayHub::refuse(Node& node, const std::string& kind, const std::string& reason, Clock::time_point now) {
  desk_.refused(node.agent, kind, node.agent ? reason : described(node) + ": " + reason);
  hang_up(node);
  pause(node, now);
}

void RelayHub::take(std::int64_t serial, const Parcel& parcel, Clock::time_point now) {
  const auto sent = sent_to_.find(serial);
  if (sent == sent_to_.end()) {
    return desk_.refused({}, "replayed", "an answer to message " + std::to_string(serial) + ", which nobody waits for");
  }
  Node& node = nodes_.at(sent->second);
  if (node.agent) desk_.count_bytes(*node.agent, parcel.bytes(), 0);
  RelayAnswer answer;
  try {
    if (options_.most_bytes > 0 && parcel.bytes() > options_.most_bytes) {
      throw BadState("an answer of " + std::to_string(parcel.bytes()) + " bytes; at most " +
                     std::to_string(options_.most_bytes) + " are allowed");
    }
    answer = answer_from(parcel, node.agent.value_or(kNobody));
    if (answer.serial != serial) {
      throw BadState("it answers message " + std::to_string(answer.serial) + " in the place of " +
                     std::to_string(serial));
    }
  } catch (const BadState& error) {
    desk_.refused(node.agent, "malformed", described(node) + ": " + error.what());
    return fail(serial, Failure::Kind::kBroken, error.what(), now);
  }
  const Sent what = node.waiting.at(serial);
  // Earlier messages have been overtaken: their answers would speak of an older state.
  while (!node.waiting.empty() && node.waiting.begin()->first <= serial) {
    sent_to_.erase(node.waiting.begin()->first);
    node.waiting.erase(node.waiting.begin());
  }
  node.heard = now;
  if (node.line) desk_.beat(*node.agent, 0, instance_of(node));
  const double took = std::chrono::duration<double>(now - what.at).count();
  node.longest_answer_seconds = std::max(node.longest_answer_seconds, took);
  if (node.agent && answer.name != desk_.name_of(*node.agent)) {
    hang_up(node);
    node.agent.reset();
  }
  if (!node.agent) return take_name(node, answer.name, now);
  if (what.asks_for_name) return;  // asked twice, and known since the first answer
  if (answer.busy) {
    // At work on a message that was answered for, or that another server sent: it is asked again.
    node.pause_seconds = 0;
    return pause(node, now);
  }
  if (answer.arrival) return take_arrival(node, answer, now);
  // Without the seat it speaks for itself alone: one line of the log, in nobody's name, and no agent's record.
  if (!node.line || node.line->is_closed()) {
    const std::string why = reason_to_stay_away(answer);
    hang_up(node);
    if (why.empty())
      return refuse(node, "agent", answer.trouble.empty() ? "an answer without a hello" : answer.trouble, now);
    desk_.refused({},
                  "preparation",
                  "node " + printable(node.id, 40) + ", which calls itself " + desk_.name_of(*node.agent) +
                      ": it cannot take part: " + why);
    return pause(node, now);
  }
  hang_up(node);
  try {
    take_reports(node, answer);
  } catch (const std::exception& error) {
    desk_.noticed("journal", described(node) + ": " + error.what());
    return pause(node, now);
  }
  if (answer.failures.empty()) {
    return refuse(node, "agent", answer.trouble.empty() ? "an answer without a hello" : answer.trouble, now);
  }
  pause(node, now);
}

void RelayHub::take_name(Node& node, const std::string& name, Clock::time_point now) {
  const std::optional<Index> agent = desk_.number_of(name);
  if (!agent) {
    return refuse(node,
                  "stranger",
                  "it calls itself '" + printable(name, 80) + "', which is no name in `agents` of [server]",
                  now);
  }
  // Again when it attends: of two that ask at once the first may have taken the seat.
  if (keys_ != nullptr) {
    if (const std::string why = keys_->objection(name, node.key); !why.empty()) return refuse(node, "key", why, now);
  }
  node.agent = agent;
  node.pause_seconds = 0;
  bell_->ring();
}

// Of two nodes with one name the first keeps the seat as long as it answers: an engine notices late that one is gone.
bool RelayHub::seat_is_free(const Node& node, Clock::time_point now) {
  for (auto& [id, other] : nodes_) {
    if (id == node.id || other.agent != node.agent || !other.line) continue;
    if (other.challenged <= other.heard) {
      // It has answered since it was challenged: the desk says what becomes of a second one. Else it is asked now.
      const bool was_asked = other.challenged != Clock::time_point{};
      other.challenged = now;
      if (was_asked) return true;
    }
    if (now - other.challenged < probe_after(other)) return false;
    desk_.noticed("engine", described(other) + " does not answer; " + described(node) + " takes its seat");
    hang_up(other);
  }
  return true;
}

bool RelayHub::attend(Node& node, const RelayArrival& arrival, Clock::time_point now) {
  AgentFacts facts = arrival.facts;
  facts.instance = instance_of(node);
  auto line = std::make_shared<LetterQueue>(bell_);
  const std::optional<Denial> denial = desk_.attend(*node.agent, facts, arrival.hello, line);
  if (denial && denial->kind == Denial::Kind::kLater) {
    // It will ask again and again: told once, counted every time.
    if (std::exchange(node.told_to_wait, true)) {
      desk_.refused_again(node.agent, "seat", denial->reason);
    } else {
      desk_.refused(node.agent, "seat", described(node) + ": " + denial->reason);
    }
    hang_up(node);
    pause(node, now);
    return false;
  }
  if (denial) {
    refuse(node, "hello", denial->reason, now);
    return false;
  }
  node.line = std::move(line);
  node.addressed = arrival.hello;
  node.beaten = now;
  node.pause_seconds = 0;
  node.told_to_wait = false;
  if (keys_ != nullptr) keys_->bind(desk_.name_of(*node.agent), node.key);
  return true;
}

void RelayHub::take_arrival(Node& node, const RelayAnswer& answer, Clock::time_point now) {
  // Before anything is asked of whoever has the seat: a wrong key is reason enough.
  if (keys_ != nullptr) {
    const std::string why = keys_->objection(desk_.name_of(*node.agent), node.key);
    if (!why.empty()) return refuse(node, "key", why, now);
  }
  try {
    if (!node.line && !seat_is_free(node, now)) return pause(node, now);
    if (!attend(node, *answer.arrival, now)) return;
    if (answer.upload) upload(node, *answer.upload);
    take_reports(node, answer);
  } catch (const std::exception& error) {
    // The journal cannot be written, most likely: the agent keeps what it has and is asked again.
    desk_.noticed("journal", described(node) + ": " + error.what());
    hang_up(node);
    return pause(node, now);
  }
  if (!answer.leaves) return;
  desk_.leave(*node.agent);
  node.left = true;
}

void RelayHub::upload(Node& node, const Upload& upload) {
  const auto* update = std::get_if<Update>(&upload.reply);
  const Index round = update != nullptr ? update->round : std::get<Failure>(upload.reply).round;
  const Attempt attempt{round, upload.token};
  const Standing standing = desk_.upload(*node.agent, upload);
  // Asked again, it would send the same again.
  if (standing.kind == Standing::Kind::kLater) return;
  node.line->forget_wanted(attempt);
  node.offered.reset();
  node.failures = 0;
  if (standing.kind != Standing::Kind::kHeld) node.line->push(Notice{attempt, standing});
}

void RelayHub::take_reports(Node& node, const RelayAnswer& answer) {
  for (const Failure& failure : answer.failures) {
    const std::string why = desk_.report_failure(*node.agent, failure);
    if (!why.empty()) desk_.refused(node.agent, "report", why);
  }
  for (const EvaluationReport& report : answer.evaluations) {
    const std::string why = desk_.report_evaluation(*node.agent, report);
    if (!why.empty()) desk_.refused(node.agent, "report", why);
  }
}

void RelayHub::fail(std::int64_t serial, Failure::Kind kind, const std::string& reason, Clock::time_point now) {
  const auto sent = sent_to_.find(serial);
  if (sent == sent_to_.end()) return;
  Node& node = nodes_.at(sent->second);
  sent_to_.erase(sent);
  node.waiting.erase(serial);
  const std::string what = std::string(name_of(kind)) + ": " + printable(reason, 300);
  desk_.noticed("engine", described(node) + ": " + what);
  hang_up(node);
  pause(node, now);
  if (!node.agent || !node.offered || ++node.failures < options_.tries) return;
  // The round's reply, as if the agent had said so itself: under the token of the task that it has not answered.
  const Failure failure{node.offered->round, *node.agent, kind, "the engine says: " + what};
  try {
    desk_.upload(*node.agent, {node.offered->token, failure});
  } catch (const std::exception& error) {
    return desk_.noticed("journal", described(node) + ": " + error.what());
  }
  node.offered.reset();
  node.failures = 0;
}

}  // namespace fedstein
