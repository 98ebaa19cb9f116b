// SPDX-License-Identifier: Apache-2.0
// The round loop's side of the desk.
#include "fedstein/rpc/server_desk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {

ServerDesk::ServerDesk(const DeskOptions& options, Journal& journal)
    : options_(options), journal_(journal), session_(journal.load(), options.limits), seats_(options.agents.size()) {
  check(!options.agents.empty(), "ServerDesk", "no agents; at least 1 is needed");
  check(options.quorum > 0 && options.quorum <= 1, "ServerDesk", [&] {
    return "quorum is " + to_text(options.quorum) + "; it must be above 0 and at most 1";
  });
  check_positive("ServerDesk", "lease_seconds", options.lease_seconds);
  enrolments_ = journal.load().enrolments;
  for (std::size_t k = 0; k < seats_.size(); ++k) seats_[k].counters.name = options.agents[k];
}

bool ServerDesk::all_enrolled() const {
  return enrolments_.size() == seats_.size();
}

std::vector<Enrolment> ServerDesk::wait_for_enrolment() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || all_enrolled(); });
  if (stopping_) throw ServingStopped();
  std::vector<Enrolment> out;
  for (const auto& [agent, enrolment] : enrolments_) out.push_back(enrolment);
  return out;
}

void ServerDesk::begin(const ServerSide& server) {
  const std::lock_guard lock(mutex_);
  server_ = &server;
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    if (seat(agent).line) welcome(agent);
  }
}

void ServerDesk::renew_lease(Index agent) {
  seat(agent).lapsed = false;
  seat(agent).lease =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.lease_seconds));
}

void ServerDesk::offer_work() {
  for (auto& [agent, offer] : session_.offer(session_.idle(), journal_)) {
    payload_down_ += payload_bytes(offer.task.belief);
    renew_lease(agent);
    seat(agent).line->push(offer);
  }
}

void ServerDesk::handle_lapses(Clock::time_point now) {
  for (const Index agent : session_.missing()) {
    Seat& there = seat(agent);
    if (now < there.lease) continue;
    // With `wait`, an agent that has nothing in hand has nothing to lose: it is simply not there yet.
    const bool waits_for_nobody = options_.on_lapse == OnLapse::kWait && session_.current_token(agent) == 0;
    if (!waits_for_nobody && !there.lapsed) {
      ++there.counters.lapses;
      session_.on_lapse(agent, options_.on_lapse, journal_);
      if (there.line) std::exchange(there.line, nullptr)->hang_up();
    }
    renew_lease(agent);
    there.lapsed = !waits_for_nobody;
  }
}

Clock::time_point ServerDesk::next_wake(Clock::time_point deadline) const {
  const auto now = Clock::now();
  Clock::time_point wake = deadline > now ? deadline : Clock::time_point::max();
  for (const Index agent : session_.missing()) wake = std::min(wake, seats_[static_cast<std::size_t>(agent)].lease);
  // A clock's last instant overflows inside wait_until.
  return std::min(wake, now + std::chrono::hours(1));
}

// All replies are there, or the deadline has passed and what there is will do.
bool ServerDesk::may_close(Clock::time_point deadline) const {
  const std::size_t missing = session_.missing().size();
  if (missing == 0) return true;
  if (Clock::now() < deadline) return false;
  if (options_.on_lapse == OnLapse::kSkip) return true;
  const auto held = static_cast<double>(session_.updates_held());
  const double wanted = options_.quorum * (held + static_cast<double>(missing));
  return options_.quorum < 1 && held >= std::max(1.0, std::ceil(wanted - 1e-9));
}

std::vector<Reply> ServerDesk::exchange(const std::vector<Task>& tasks, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  check(server_ != nullptr, "ServerDesk::exchange", "begin() must come first");
  session_.open(tasks);
  for (const Index agent : session_.missing()) renew_lease(agent);
  offer_work();
  while (!may_close(deadline)) {
    if (stopping_) throw ServingStopped();
    changed_.wait_until(lock, next_wake(deadline));
    handle_lapses(Clock::now());
  }
  std::vector<Reply> replies = session_.take(journal_, Failure::Kind::kTimedOut, "no reply before the deadline");
  for (Failure& failure : std::exchange(late_failures_, {})) replies.emplace_back(std::move(failure));
  return replies;
}

std::vector<Failure> ServerDesk::settle(const std::vector<Verdict>& verdicts) {
  const std::lock_guard lock(mutex_);
  for (const auto& [agent, notice] : session_.close(verdicts, server_->save(), journal_)) {
    if (seat(agent).line) seat(agent).line->push(notice);
  }
  return std::exchange(late_failures_, {});
}

void ServerDesk::finish(const Farewell& farewell, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  farewell_ = farewell;
  for (Seat& there : seats_) {
    if (there.line) there.line->push(farewell);
  }
  const auto all_left = [&] {
    return stopping_ || std::all_of(seats_.begin(), seats_.end(), [](const Seat& s) { return s.counters.left; });
  };
  changed_.wait_until(lock, std::min(deadline, Clock::now() + std::chrono::hours(24)), all_left);
}

void ServerDesk::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  for (Seat& there : seats_) {
    if (there.line) std::exchange(there.line, nullptr)->hang_up();
  }
  changed_.notify_all();
}

}  // namespace fedstein
