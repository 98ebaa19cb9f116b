// SPDX-License-Identifier: Apache-2.0
// The round loop's side of the desk. server_desk_waiting.cc decides for whom a round waits, and how long.
#include "fedstein/serving/server_desk.h"

#include <algorithm>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

EvaluationShape evaluation_shape(const DeskOptions& options) {
  EvaluationShape out = options.evaluation.shape;
  out.most_rows = options.enrolment.most_rows;
  return out;
}

bool same(const Matrix& one, const Matrix& other) {
  return one.rows() == other.rows() && one.cols() == other.cols() && one == other;
}

}  // namespace

ServerDesk::ServerDesk(const DeskOptions& options, Journal& journal)
    : options_(options),
      journal_(journal),
      events_(options.agents, options.on_event),
      session_(journal.load(), options.limits),
      seats_(options.agents.size()),
      evaluation_(evaluation_shape(options)) {
  check_argument(!options.agents.empty(), "ServerDesk", "no agents; at least 1 is needed");
  check_argument(options.quorum >= 0 && options.quorum <= 1, "ServerDesk", [&] {
    return "quorum is " + to_text(options.quorum) + "; it must be 0 to 1";
  });
  check_positive("ServerDesk", "lease_seconds", options.lease_seconds);
  enrolments_ = journal.load().enrolments;
  for (std::size_t k = 0; k < seats_.size(); ++k) seats_[k].counters.name = options.agents[k];
  for (const auto& [agent, enrolment] : enrolments_)
    note_away(seat(agent), "it has not come back since the server started");
}

bool ServerDesk::all_enrolled() const {
  return enrolments_.size() == seats_.size();
}

std::vector<Enrolment> ServerDesk::wait_for_enrolment() {
  constexpr auto kBetweenLooks = std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  while (!stopping_ && !all_enrolled()) {
    changed_.wait_for(lock, kBetweenLooks);
    look_for_bars();
    std::vector<Index> missing;
    for (Index agent = 0; agent < agents(); ++agent) {
      if (!enrolments_.contains(agent)) missing.push_back(agent);
    }
    tell_of_waiting(Clock::now(), "the first round", missing);
  }
  if (stopping_) throw ServingStopped();
  std::vector<Enrolment> out;
  for (const auto& [agent, enrolment] : enrolments_) out.push_back(enrolment);
  return out;
}

std::string ServerDesk::begin(std::shared_ptr<const ServerSide> server) {
  const std::lock_guard lock(mutex_);
  if (options_.enrolment.total) {
    std::vector<std::string> of_each;
    for (const auto& [agent, enrolment] : enrolments_) of_each.push_back(enrolment.statistics);
    total_statistics_ = options_.enrolment.total(of_each);
  }
  server_ = std::move(server);
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    if (seat(agent).line) welcome(agent);
  }
  return total_statistics_;
}

void ServerDesk::offer_work() {
  for (auto& [agent, offer] : session_.offer(session_.idle(), journal_)) {
    const bool is_known = !offer.task.belief.empty() && same(offer.task.belief.front(), predicting_);
    if (seat(agent).evaluates && !is_known) offer.predicting = predicting_;
    payload_down_ += payload_bytes(offer.task.belief) + payload_bytes({offer.predicting});
    renew_lease(agent);
    seat(agent).offered = Clock::now();
    seat(agent).line->push(offer);
  }
}

// The round loop changes the server's side between rounds, calls come at any time: they are given a copy.
void ServerDesk::keep_predicting() {
  predicting_.resize(0, 0);
  const Index round = session_.closed_round();
  if (round == 0 || round % options_.evaluation.every != 0) return;
  predicting_ = server_->particles();
}

std::optional<std::vector<Index>> ServerDesk::able() {
  const std::lock_guard lock(mutex_);
  look_for_bars();
  std::vector<Index> out;
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    if (seat(agent).bar.empty()) out.push_back(agent);
  }
  if (out.empty()) throw NobodyLeft("no agent is left: the certificates of all of them are revoked");
  return out;
}

std::vector<Reply> ServerDesk::exchange(const std::vector<Task>& tasks, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  check_argument(server_ != nullptr, "ServerDesk::exchange", "begin() must come first");
  if (stopping_) throw ServingStopped();
  session_.open(tasks);
  keep_predicting();
  const auto now = Clock::now();
  for (const Index agent : session_.missing()) {
    renew_lease(agent);
    const std::chrono::duration<double> whole = deadline - now;
    const std::chrono::duration<double> patience = patience_with(agent, whole);
    // Where there is no deadline, adding the time up to it to now again would be beyond what a clock can say.
    seat(agent).due = patience < whole ? now + std::chrono::duration_cast<Clock::duration>(patience) : deadline;
    seat(agent).overdue = false;
  }
  waiting_pause_ = {};
  skip_the_absent(now);
  offer_work();
  while (!may_close()) {
    if (stopping_) throw ServingStopped();
    changed_.wait_until(lock, next_wake());
    const auto woken = Clock::now();
    handle_lapses(woken);
    handle_overdue(woken);
    look_for_bars();
    tell_of_waiting(woken, "round " + std::to_string(session_.open_round()), session_.missing());
  }
  std::vector<Reply> replies = session_.take(journal_, Failure::Kind::kTimedOut, "no update before the deadline");
  for (Failure& failure : std::exchange(late_failures_, {})) replies.emplace_back(std::move(failure));
  return replies;
}

std::vector<Failure> ServerDesk::settle(const std::vector<Verdict>& verdicts, const RoundRecord& record) {
  const std::lock_guard lock(mutex_);
  // What became of updates after they were taken; all else was told when it happened.
  for (const Verdict& verdict : verdicts) {
    const auto is_its = [&](const Failure& one) { return one.agent == verdict.agent && one.round == record.round; };
    const auto found = std::find_if(record.failures.begin(), record.failures.end(), is_its);
    if (verdict.folded || found == record.failures.end() || !session_.holds_update(verdict.agent)) continue;
    events_.add(EventKind::kFailure,
                verdict.agent,
                "not folded",
                "round " + std::to_string(record.round) + ": " + found->reason);
  }
  for (const auto& [agent, notice] : session_.close(verdicts, {record, server_->save()}, journal_)) {
    if (seat(agent).line) seat(agent).line->push(notice);
  }
  return {};  // what fails in settling is heard later, and belongs to a later round's record
}

void ServerDesk::finish(const Farewell& farewell, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  farewell_ = farewell;
  for (Seat& there : seats_) {
    if (there.line) there.line->push(farewell);
  }
  std::string away;
  for (Index agent = 0; agent < agents(); ++agent) {
    if (!seat(agent).line && seat(agent).bar.empty()) away += (away.empty() ? "" : ", ") + name_of(agent);
  }
  if (!away.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(deadline - Clock::now()).count();
    events_.add(EventKind::kNotice,
                {},
                "farewell",
                "all rounds are done; the server stays up to " + std::to_string(std::max<std::int64_t>(0, left)) +
                    " s (linger_seconds) for " + away + " to hear of it");
  }
  const auto all_left = [&] {
    return stopping_ || std::all_of(seats_.begin(), seats_.end(), [](const Seat& one) {
             return one.counters.left || !one.bar.empty();
           });
  };
  changed_.wait_until(lock, std::min(deadline, Clock::now() + std::chrono::hours(24)), all_left);
}

void ServerDesk::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    if (seat(agent).line) std::exchange(seat(agent).line, nullptr)->hang_up();
    session_.on_detach(agent);
  }
  changed_.notify_all();
}

}  // namespace fedstein
