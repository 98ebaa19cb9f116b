// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/agent_runner.h"

#include <algorithm>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/serving/letter_box.h"

namespace fedstein {

AgentRunner::AgentRunner(AgentLink& link, AgentDisk& disk, AgentWorkshop& workshop, const AgentRunnerOptions& options)
    : link_(link),
      disk_(disk),
      workshop_(workshop),
      options_(options),
      jitter_({.seed = options.jitter_seed, .agent = 0, .round = 0, .purpose = Purpose::kSchedule}),
      backoff_(options.first_backoff_seconds),
      heart_([this] { beat_while_running(); }) {}

AgentRunner::~AgentRunner() {
  stop();
  heart_.join();
}

void AgentRunner::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  woken_.notify_all();
  link_.give_up();
}

bool AgentRunner::is_stopping() {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

AgentRunner::Ending AgentRunner::run() {
  for (;;) {
    try {
      if (!introduced_) introduce();
      if (attend_once()) return Ending::kRunIsOver;
    } catch (const LineLost& error) {
      if (is_stopping()) return Ending::kStopped;
      report_lost_line(error.what());
    }
    {
      const std::lock_guard lock(mutex_);
      attended_ = false;
      if (stopping_) return Ending::kStopped;
    }
    if (!back_off()) return Ending::kStopped;
  }
}

// Before the first word with the server it may be our own mistake, which no patience mends. Afterwards both sides have
// believed each other once: whatever the server's state is now, it may pass, unless our certificate's time is over.
void AgentRunner::report_lost_line(const std::string& words) {
  constexpr std::int64_t kTriesPerLook = 5;  // once introduced: to look costs a connection and perhaps seconds
  constexpr auto kReminder = std::chrono::minutes(5);
  const bool expired = link_.own_certificate_has_expired();
  if (++tries_ % kTriesPerLook == 0 || !introduced_ || expired) {
    LineTrouble found = link_.trouble();
    if (found.lasting && (!introduced_ || expired)) throw TurnedAway(found.sentence);
    found_reason_ = std::move(found.sentence);
  }
  const std::string& reason = found_reason_.empty() ? words : found_reason_;
  const auto now = std::chrono::steady_clock::now();
  const bool told = reason == told_reason_;
  if (told && now < told_ + kReminder) return;
  const std::string state = told ? "still no line after " + std::to_string(tries_) + " tries" : "no line at the moment";
  workshop_.on_event(link_.server() + ": " + state + ", trying again: " + reason);
  told_reason_ = reason;
  told_ = now;
}

// Otherwise its operator would only see an agent that never comes. A text of ours: an error's sentence may hold a value
// of a row, and stays here.
void AgentRunner::report_unfit(ErrorKind kind) {
  std::string reason = "it can do nothing with this configuration; its own log says why";
  if (kind == ErrorKind::kData) reason = "its file does not fit this federation's table [data]; its own log says where";
  if (kind == ErrorKind::kMissing) reason = "a file that it was given is not there; its own log says which";
  try {
    link_.report(Failure{.round = 0, .agent = charter_.agent, .kind = Failure::Kind::kBroken, .reason = reason});
  } catch (const LineLost&) {
  } catch (const TurnedAway&) {
  }
}

// What a server says is checked as well: an agent may be called to the wrong place.
void AgentRunner::introduce() {
  constexpr double kLeastSeconds = 0.001;
  constexpr double kMostSeconds = 24 * 3600;
  Charter charter = link_.introduce();
  const double pause = charter.heartbeat_seconds;
  if (!(pause >= kLeastSeconds && pause <= kMostSeconds) || charter.agents < 1 || charter.agent < 0 ||
      charter.agent >= charter.agents) {
    throw TurnedAway("the server says that this is agent " + std::to_string(charter.agent) + " of " +
                     std::to_string(charter.agents) + " and asks for a heartbeat every " + to_text(pause) +
                     " s, which cannot be meant");
  }
  charter_ = std::move(charter);
  try {
    facts_ = workshop_.prepare(charter_);
  } catch (const Error& error) {
    report_unfit(error.kind());
    throw;
  }
  introduced_ = true;
}

// A state folder or a file that was mixed up gives numbers, and wrong ones: nobody else would notice.
void AgentRunner::check_is_ours(const AgentRecord& record) const {
  if (record.run != charter_.run) return;  // the server says what that means
  if (record.agent != charter_.agent) {
    throw TurnedAway("the state folder is that of agent " + std::to_string(record.agent) + ", and this is agent " +
                     std::to_string(charter_.agent) + "; give each agent a state folder of its own");
  }
  if (!record.rows.empty() && !facts_.rows_digest.empty() && record.rows != facts_.rows_digest) {
    throw TurnedAway(
        "the rows are others than those that this agent began with; give the old file, or start it once "
        "with --forget-factor");
  }
}

bool AgentRunner::attend_once() {
  // The record on disk is the truth; what the session holds in memory is the same.
  Hello hello;
  if (session_) {
    hello = session_->hello();
  } else if (const auto bytes = disk_.read(); bytes && !options_.forget_factor) {
    const AgentRecord record = agent_record_from(*bytes);
    check_is_ours(record);
    hello = hello_of(record);
  }
  hello.forgets = options_.forget_factor;
  link_.attend(charter_.agent, facts_, hello);
  {
    // stop() may have come before there was a line to drop.
    const std::lock_guard lock(mutex_);
    if (stopping_) throw LineLost("stopping");
    attended_ = true;
  }
  if (!session_ && options_.tells_arrival) {
    workshop_.on_event("connected to " + link_.server() + "; work begins when all agents of the federation are there");
  }
  LetterBox letters(link_, [this] { beat(); });
  while (!on_letter(letters.next())) {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw LineLost("stopping");
  }
  return true;
}

bool AgentRunner::back_off() {
  const double wait = backoff_ * (0.5 + 0.5 * jitter_.uniform());
  backoff_ = std::min(2 * backoff_, options_.most_backoff_seconds);
  std::unique_lock lock(mutex_);
  return !woken_.wait_for(lock, std::chrono::duration<double>(wait), [&] { return stopping_; });
}

void AgentRunner::beat() {
  try {
    link_.beat(in_hand_);
  } catch (const std::exception&) {
    link_.drop_line();
  }
}

// Keeps the lease, and notices a line that is dead without knowing it.
void AgentRunner::beat_while_running() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const double pause = attended_ ? charter_.heartbeat_seconds : 0.05;
    woken_.wait_for(lock, std::chrono::duration<double>(pause), [&] { return stopping_; });
    if (stopping_ || !attended_) continue;
    lock.unlock();
    beat();
    lock.lock();
  }
}

}  // namespace fedstein
