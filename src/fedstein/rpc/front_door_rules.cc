// SPDX-License-Identifier: Apache-2.0
// Which connections stay. Everything here runs with the lock held, but for the three functions that others call.
#include <sys/socket.h>

#include <cmath>

#include "fedstein/rpc/descriptor_limit.h"
#include "fedstein/rpc/front_door.h"
#include "fedstein/rpc/peer_name.h"
#include "fedstein/rpc/received_bytes.h"

namespace fedstein {
namespace {

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void FrontDoor::forget(Connections::iterator which) {
  // A number that has been given again meanwhile is another connection's.
  if (const auto found = by_peer_.find(which->second.peer); found != by_peer_.end() && found->second == which->first) {
    by_peer_.erase(found);
  }
  if (which->second.agent < 0) --unidentified_;
  connections_.erase(which);
}

void FrontDoor::end(Connections::iterator which, Closings::Reason reason) {
  using Reason = Closings::Reason;
  shutdown(which->second.handle.number(), SHUT_RDWR);
  forget(which);
  closings_.note(reason, Clock::now());
  ++(reason == Reason::kSilent    ? counts_.closed_silent
     : reason == Reason::kCrowded ? counts_.closed_crowded
     : reason == Reason::kGreedy  ? counts_.closed_greedy
                                  : counts_.closed_surplus);
}

void FrontDoor::close_silent(Clock::time_point now) {
  for (auto next = connections_.begin(); next != connections_.end();) {
    const auto which = next++;
    if (which->second.agent >= 0) continue;
    if (seconds_between(which->second.since, now) < limits_.unidentified_seconds) break;
    end(which, Closings::Reason::kSilent);
  }
}

void FrontDoor::close_greedy() {
  for (auto next = connections_.begin(); next != connections_.end();) {
    const auto which = next++;
    const Connection& one = which->second;
    if (received_bytes(one.handle) - one.asked_bytes > limits_.most_unasked_bytes)
      end(which, Closings::Reason::kGreedy);
  }
}

// A crowd comes from few addresses, agents come one by one: the oldest of the address with most is closed.
bool FrontDoor::close_for_room(Clock::time_point now) {
  std::unordered_map<std::string, std::size_t> crowd;
  for (const auto& [id, connection] : connections_) {
    if (connection.agent < 0) ++crowd[connection.host];
  }
  auto chosen = connections_.end();
  for (auto one = connections_.begin(); one != connections_.end(); ++one) {
    if (one->second.agent >= 0) continue;
    if (seconds_between(one->second.since, now) < limits_.least_seconds) break;
    if (chosen == connections_.end() || crowd[one->second.host] > crowd[chosen->second.host]) chosen = one;
  }
  if (chosen == connections_.end()) return false;
  end(chosen, Closings::Reason::kCrowded);
  return true;
}

bool FrontDoor::descriptors_left() const {
  constexpr int kNeeded = 2;
  return next_descriptor(wake_) + kNeeded <= descriptor_limit() - limits_.reserved_descriptors;
}

void FrontDoor::look_for_shortage(Clock::time_point now) {
  if (descriptors_left()) {
    short_since_ = Clock::time_point::max();
  } else if (short_since_ == Clock::time_point::max()) {
    short_since_ = now;
  }
}

// Whether one more may come in. The descriptors of a connection that is closed here are free a moment later.
bool FrontDoor::make_room(Clock::time_point now) {
  constexpr int kAtOnce = 8;
  if (descriptors_left()) return unidentified_ < limits_.most_unidentified || close_for_room(now);
  for (int i = 0; i < kAtOnce && close_for_room(now); ++i) {
  }
  return false;
}

void FrontDoor::called(const std::string& peer, Index agent, std::int64_t bytes) {
  // Headers, frames, acknowledgements; and what TLS adds, which is less than a fiftieth.
  constexpr std::int64_t kEachCall = 16 << 10;
  constexpr std::int64_t kWrapping = 50;
  const std::lock_guard lock(mutex_);
  const auto found = by_peer_.find(decoded_peer(peer));
  if (found == by_peer_.end()) return;
  Connection& caller = connections_.at(found->second);
  caller.asked_bytes += bytes + bytes / kWrapping + kEachCall;
  if (caller.agent == agent) return;
  if (caller.agent < 0) --unidentified_;
  caller.agent = agent;
  std::size_t count = 0;
  auto oldest = connections_.end();
  for (auto one = connections_.begin(); one != connections_.end(); ++one) {
    if (one->second.agent != agent) continue;
    if (oldest == connections_.end()) oldest = one;
    ++count;
  }
  if (count > limits_.most_per_agent) end(oldest, Closings::Reason::kSurplus);
}

bool FrontDoor::count_failed_handshake() {
  const std::lock_guard lock(mutex_);
  ++counts_.failed_handshakes;
  return closings_.note(Closings::Reason::kHandshake, Clock::now());
}

DoorStatus FrontDoor::status() const {
  // Shorter shortages are the closing of connections that make room.
  constexpr double kShortageSeconds = 2;
  constexpr double kStandstillSeconds = 5;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  DoorStatus out = counts_;
  out.open = static_cast<std::int64_t>(connections_.size());
  out.unidentified = static_cast<std::int64_t>(unidentified_);
  if (!broken_.empty()) {
    out.trouble = "no connection can be accepted: " + broken_;
  } else if (const double still = seconds_between(last_pass_, now); still > kStandstillSeconds) {
    out.trouble = "no connection has been looked for in the last " + std::to_string(std::lround(still)) + " s";
  } else if (short_since_ != Clock::time_point::max() && seconds_between(short_since_, now) > kShortageSeconds) {
    out.trouble = "no connection can be accepted: this process may have " + std::to_string(descriptor_limit()) +
                  " open files (ulimit -n), and all but the last " + std::to_string(limits_.reserved_descriptors) +
                  " are in use";
  }
  return out;
}

}  // namespace fedstein
