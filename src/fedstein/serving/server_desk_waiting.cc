// SPDX-License-Identifier: Apache-2.0
// For whom a round waits, and how long: leases, deadlines, revoked agents.
#include <algorithm>
#include <cmath>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/serving/server_desk.h"

namespace fedstein {
namespace {

using Seconds = std::chrono::duration<double>;

std::string seconds_text(Seconds seconds) {
  return std::to_string(std::llround(seconds.count())) + " s";
}

}  // namespace

void ServerDesk::renew_lease(Index agent) {
  seat(agent).lapsed = false;
  seat(agent).lease = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(options_.lease_seconds));
}

// An agent that misses its deadline gets half the time in its next round, and so on, until it has been heard in time
// again: one that never answers costs a federation two deadlines in all, not one a round. It never gets less than a few
// times what the others need, or than it once needed itself, so that an honest agent that was away can come back.
Seconds ServerDesk::patience_with(Index agent, Seconds whole) const {
  constexpr double kLeastSeconds = 2;
  constexpr double kTimesTheOthers = 4;
  constexpr double kTimesItself = 2;
  const Seat& there = seat(agent);
  if (there.misses == 0) return whole;
  std::vector<double> answers;
  for (const Seat& one : seats_) {
    if (one.answer_seconds >= 0) answers.push_back(one.answer_seconds);
  }
  double least = kLeastSeconds;
  if (!answers.empty()) {
    // Of two the quicker one: a slow agent does not set the measure for itself.
    const auto middle = answers.begin() + static_cast<std::ptrdiff_t>((answers.size() - 1) / 2);
    std::nth_element(answers.begin(), middle, answers.end());
    least = std::max(least, kTimesTheOthers * *middle);
  }
  // What it once needed itself counts less with every miss: one good answer is no licence to stall.
  least = std::max(least, std::ldexp(kTimesItself * there.answer_seconds, -std::min(there.misses - 1, 60)));
  const Seconds shortened(std::ldexp(whole.count(), -std::min(there.misses, 60)));
  return std::min(whole, std::max(shortened, Seconds(least)));
}

void ServerDesk::handle_lapses(Clock::time_point now) {
  for (const Index agent : session_.missing()) {
    Seat& there = seat(agent);
    if (now < there.lease) continue;
    // With `wait`, an agent that has nothing in hand has nothing to lose: it is simply not there yet.
    // Nor is it skipped while nobody at all is there: then it is the network that is away.
    const bool waits_for_nobody =
        options_.on_lapse == OnLapse::kWait ? session_.current_token(agent) == 0 : !somebody_is_there(now);
    if (!waits_for_nobody && !there.lapsed) {
      const bool skips = options_.on_lapse == OnLapse::kSkip;
      events_.add(EventKind::kLapse,
                  agent,
                  skips ? "skipped" : "waited for",
                  "round " + std::to_string(session_.open_round()) + ": no heartbeat for " +
                      seconds_text(Seconds(options_.lease_seconds)) +
                      (skips ? "; the round goes on without it" : "; its task waits for it until the deadline"));
      there.skipped = skips;
      session_.on_lapse(agent, options_.on_lapse, journal_);
      if (there.line) {
        std::exchange(there.line, nullptr)->hang_up();
        note_away(there, "no heartbeat for " + seconds_text(Seconds(options_.lease_seconds)));
      }
    }
    renew_lease(agent);
    there.lapsed = !waits_for_nobody;
  }
}

// With `skip`, an agent that lapsed and is still away costs its lease once, not in every round.
void ServerDesk::skip_the_absent(Clock::time_point now) {
  if (options_.on_lapse != OnLapse::kSkip || !somebody_is_there(now)) return;
  for (const Index agent : session_.missing()) {
    if (!seat(agent).skipped || seat(agent).line) continue;
    session_.pass_over(agent, Failure::Kind::kTimedOut, "it has lapsed and is not back", journal_);
  }
}

void ServerDesk::handle_overdue(Clock::time_point now) {
  for (const Index agent : session_.missing()) {
    Seat& there = seat(agent);
    if (there.overdue || now < there.due) continue;
    there.overdue = true;
    ++there.misses;
    events_.add(EventKind::kDeadline,
                agent,
                there.line ? "no update" : "away",
                "round " + std::to_string(session_.open_round()) +
                    (there.line ? ": it is connected, but its update has not come in time"
                                : ": it is away, and its update has not come in time"));
  }
}

// A revoked agent is not waited for, and gets no more work; one with a new certificate is welcome again when it comes.
void ServerDesk::look_for_bars() {
  if (!bar_) return;
  for (Index agent = 0; agent < static_cast<Index>(seats_.size()); ++agent) {
    Seat& there = seat(agent);
    const std::string bar = bar_(agent);
    if (bar == there.bar) continue;
    there.bar = bar;
    if (bar.empty()) continue;
    events_.add(EventKind::kRevocation, agent, "left", bar + "; rounds go on without this agent");
    session_.pass_over(agent, Failure::Kind::kRefused, bar, journal_);
    if (there.line) {
      std::exchange(there.line, nullptr)->hang_up();
      note_away(there, bar);
    }
  }
}

void ServerDesk::tell_of_waiting(Clock::time_point now, const std::string& what, const std::vector<Index>& agents) {
  constexpr auto kFirst = std::chrono::minutes(1);
  constexpr auto kLongest = std::chrono::hours(1);
  if (waiting_pause_ == Clock::duration{}) {
    waiting_pause_ = kFirst;
    next_waiting_ = now + kFirst;
  }
  if (now < next_waiting_ || agents.empty()) return;
  std::string who;
  for (const Index agent : agents) {
    const Seat& there = seat(agent);
    who += (who.empty() ? "" : ", ") + name_of(agent) +
           (!there.bar.empty() ? " (" + there.bar + ")"
            : there.line       ? " (at work)"
                               : " (away)");
  }
  events_.add(EventKind::kNotice, {}, "waiting", what + " waits for " + who);
  waiting_pause_ = std::min<Clock::duration>(2 * waiting_pause_, kLongest);
  next_waiting_ = now + waiting_pause_;
}

Clock::time_point ServerDesk::next_wake() const {
  constexpr auto kBetweenLooks = std::chrono::seconds(1);  // at the revocation list, and at the log's next line
  const auto now = Clock::now();
  Clock::time_point wake = now + kBetweenLooks;
  for (const Index agent : session_.missing()) {
    wake = std::min(wake, seat(agent).lease);
    if (!seat(agent).overdue) wake = std::min(wake, seat(agent).due);
  }
  return wake;
}

// All replies are there, or those that are missing are not waited for any more.
bool ServerDesk::may_close() const {
  const std::vector<Index> missing = session_.missing();
  const auto waits = [&](Index agent) { return !seat(agent).overdue; };
  if (std::any_of(missing.begin(), missing.end(), waits)) return false;
  if (missing.empty()) return true;
  const Index held = session_.updates_held();
  const double agents = static_cast<double>(held) + static_cast<double>(missing.size());
  const double wanted = options_.on_lapse == OnLapse::kSkip ? 0 : options_.quorum;
  if (static_cast<double>(held) < std::ceil(wanted * agents - 1e-9)) return false;
  // Nobody at all is connected: it is the network that is away, not these agents. Rounds are not spent on that.
  return held > 0 || somebody_is_there(Clock::now());
}

bool ServerDesk::somebody_is_there(Clock::time_point now) const {
  const auto is_there = [&](const Seat& one) {
    return one.line != nullptr && Seconds(now - one.heard).count() <= options_.lease_seconds;
  };
  return std::any_of(seats_.begin(), seats_.end(), is_there);
}

}  // namespace fedstein
