// SPDX-License-Identifier: Apache-2.0
// What an agent does with the letters of its server; agent_runner.cc keeps the line on which they come.
#include <algorithm>
#include <utility>

#include "fedstein/serving/agent_runner.h"

namespace fedstein {

bool AgentRunner::on_letter(const Letter& letter) {
  backoff_ = options_.first_backoff_seconds;
  tries_ = 0;
  found_reason_.clear();
  told_reason_.clear();
  if (const auto* beginning = std::get_if<Beginning>(&letter)) {
    on_beginning(*beginning);
    report_again(beginning->evaluations_from);
  }
  // Nothing else can come before the beginning, except from a server that does not keep to the protocol.
  if (!session_) throw TurnedAway("the server speaks out of order");
  if (const auto* notice = std::get_if<Notice>(&letter)) on_standing(notice->attempt, notice->standing);
  if (const auto* offer = std::get_if<Offer>(&letter)) on_offer(*offer);
  // An upload that is needed goes first, and whether it is comes with the letter after the beginning.
  if (!std::holds_alternative<Beginning>(letter)) evaluate();
  const auto* farewell = std::get_if<Farewell>(&letter);
  if (farewell == nullptr) return false;
  if (!farewell->belief.empty()) unevaluated_ = {farewell->round, farewell->belief.front()};
  evaluate();
  link_.leave();
  return true;
}

void AgentRunner::on_beginning(const Beginning& beginning) {
  const bool is_same = beginning.agents == beginning_.agents && beginning.total_rows == beginning_.total_rows &&
                       beginning.statistics == beginning_.statistics;
  if (session_ && is_same) return;
  // The federation was put together anew before its first round; what was made for the old one is of no use.
  if (session_ && (session_->settled() > 0 || session_->pending())) {
    throw TurnedAway("the federation's rows are others than when this agent began to work");
  }
  session_.reset();
  beginning_ = beginning;
  side_ = workshop_.make_side(beginning);
  const auto bytes = disk_.read();
  if (bytes && !options_.forget_factor) {
    session_.emplace(agent_record_from(*bytes), *side_);
  } else {
    if (const std::string aside = options_.forget_factor ? disk_.set_aside() : ""; !aside.empty()) {
      workshop_.on_event("the state so far is kept as " + aside + "; this agent's factor begins anew");
    }
    session_.emplace(charter_.run, charter_.agent, beginning.last_folded, facts_.rows_digest);
    // On disk before the first task: otherwise a crash would leave a state that looks lost again.
    AgentRecord record = session_->record();
    record.side_state = side_->save();
    disk_.replace(bytes_of(record));
    options_.forget_factor = false;
  }
  if (!options_.tells_arrival) return;
  workshop_.on_event(session_->settled() == 0 ? "work begins"
                                              : "work goes on; the last round that counts an update of ours is " +
                                                    std::to_string(session_->settled()));
}

void AgentRunner::on_offer(const Offer& offer) {
  if (const std::string why = workshop_.objection(offer.task); !why.empty()) {
    throw TurnedAway("the server sends a task that cannot be meant: " + why);
  }
  in_hand_ = offer.token;
  const auto upload = session_->on_offer(offer, *side_, disk_);
  if (!upload) {
    in_hand_ = session_->pending() ? session_->pending()->token : 0;
    return;
  }
  evaluate();
  const bool is_first = offer.predicting.size() == 0;
  if (!is_first || !offer.task.belief.empty()) {
    unevaluated_ = {offer.task.round - 1, is_first ? offer.task.belief.front() : offer.predicting};
  }
  send_pending();
}

// Until the server has said what it knows of the attempt. A line that breaks here ends in another hello.
void AgentRunner::send_pending() {
  const Upload upload = *session_->pending();
  const Attempt attempt = *session_->hello().in_hand;
  in_hand_ = upload.token;
  Standing standing = link_.upload(upload);
  while (standing.kind == Standing::Kind::kLater) {
    if (!back_off()) throw LineLost("stopping");
    standing = link_.ask(attempt);
    if (standing.kind == Standing::Kind::kWanted) standing = link_.upload(upload);
  }
  on_standing(attempt, standing);
}

void AgentRunner::on_standing(const Attempt& attempt, const Standing& standing) {
  const bool is_ours = session_->pending() && session_->pending()->token == attempt.token;
  const AgentSession::Outcome outcome = session_->on_standing(attempt, standing, *side_, disk_);
  if (outcome.send) return send_pending();
  if (!is_ours) return;
  in_hand_ = session_->pending() ? session_->pending()->token : 0;
  if (standing.kind == Standing::Kind::kFolded && options_.on_round) {
    options_.on_round("round " + std::to_string(attempt.round) + ": our update counts");
  }
  if (standing.kind == Standing::Kind::kDropped) {
    workshop_.on_event("round " + std::to_string(attempt.round) + " goes on without our update: " + standing.reason);
  }
  if (!outcome.failure) return;
  workshop_.on_event("round " + std::to_string(attempt.round) + ": settling has failed: " + outcome.failure->reason);
  try {
    link_.report(*outcome.failure);
  } catch (const TurnedAway& error) {
    workshop_.on_event(error.what());
  }
}

// A belief that cannot be evaluated, and a server that does not want to hear of it, are no reason to stop working.
void AgentRunner::evaluate() {
  constexpr std::size_t kMostBins = 100000;  // of all reports that are kept: a few megabytes
  constexpr std::size_t kFewestKept = 16;
  constexpr std::size_t kMostKept = 256;  // as many rounds as a server takes
  if (!unevaluated_) return;
  const Unevaluated what = *std::exchange(unevaluated_, std::nullopt);
  try {
    const auto report = workshop_.evaluate(what.round, what.particles);
    if (!report) return;
    reported_.push_back(*report);
    const std::size_t bins = std::max<std::size_t>(1, report->sums.bins.size());
    while (reported_.size() > std::clamp(kMostBins / bins, kFewestKept, kMostKept)) reported_.pop_front();
    link_.report(*report);
  } catch (const LineLost&) {
    throw;  // reported_ has it
  } catch (const std::exception& error) {
    // What was refused once would be refused again.
    std::erase_if(reported_, [&](const EvaluationReport& report) { return report.round == what.round; });
    workshop_.on_event("the belief of round " + std::to_string(what.round) + " was not evaluated: " + error.what());
  }
}

// What the server has not heard, or heard and lost: its store writes rounds half a second later than it hears of them.
void AgentRunner::report_again(Index from) {
  try {
    // All are kept: what this server has heard it may not have written when it is killed.
    for (const EvaluationReport& report : reported_) {
      if (report.round >= from) link_.report(report);
    }
  } catch (const TurnedAway& error) {
    reported_.clear();
    workshop_.on_event(error.what());
  }
}

}  // namespace fedstein
