// SPDX-License-Identifier: Apache-2.0
// Whom the hub writes to, and when. relay_hub_answers.cc takes what comes back.
#include "fedstein/relay/relay_hub.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fedstein/exchange/printable.h"

namespace fedstein {
namespace {

using Seconds = std::chrono::duration<double>;

Clock::duration time_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

}  // namespace

const char* name_of(RelayDispatch::Kind kind) {
  switch (kind) {
    case RelayDispatch::Kind::kHello:
      return "hello";
    case RelayDispatch::Kind::kWork:
      return "work";
    case RelayDispatch::Kind::kSettle:
      return "settle";
  }
  return "unknown";
}

RelayHub::RelayHub(Reception& desk, const RelayHubOptions& options, SeatKeys* keys)
    : desk_(desk), options_(options), keys_(keys) {}

std::string RelayHub::described(const Node& node) const {
  const std::string id = "node " + printable(node.id, 40);
  return node.agent ? desk_.name_of(*node.agent) + " (" + id + ")" : id;
}

void RelayHub::see(const std::vector<RelayNode>& present, Clock::time_point now) {
  constexpr double kBeatsPerLease = 4;  // three may be lost
  std::set<std::string> ids;
  for (const RelayNode& one : present) {
    ids.insert(one.id);
    Node& node = nodes_[one.id];
    // A node that shows another key is another one, whatever the engine calls it.
    if (!node.id.empty() && node.key != one.key) {
      hang_up(node);
      wait_no_more(node);
      node = {};
    }
    // What it was sent before it went is lost, or will be in its next hello.
    if (!node.present) wait_no_more(node);
    node.id = one.id;
    node.key = one.key;
    node.present = true;
  }
  for (auto& [id, node] : nodes_) {
    if (ids.contains(id)) {
      if (!node.line || now - node.beaten < time_of(options_.lease_seconds / kBeatsPerLease)) continue;
      node.beaten = now;
      desk_.beat(*node.agent, 0, instance_of(node));
      continue;
    }
    if (node.present) node.gone = now;
    if (node.present && node.agent && node.line) desk_.noticed("engine", described(node) + " is gone");
    node.present = false;
    hang_up(node);
  }
  forget_the_gone();
}

// An engine may give every start of a node another number, and a stranger may start as often as it likes. Whoever is
// forgotten says its name again, and what it did meanwhile with its hello.
void RelayHub::forget_the_gone() {
  constexpr std::size_t kFewestKept = 64;
  const std::size_t most = std::max(kFewestKept, 2 * static_cast<std::size_t>(desk_.agents()));
  std::vector<std::pair<Clock::time_point, std::string>> gone;
  for (const auto& [id, node] : nodes_) {
    if (!node.present) gone.emplace_back(node.gone, id);
  }
  if (gone.size() <= most) return;
  std::sort(gone.begin(), gone.end());
  gone.resize(gone.size() - most);
  for (const auto& [since, id] : gone) {
    wait_no_more(nodes_.at(id));
    nodes_.erase(id);
  }
}

// The agent is away; its hello comes first when it is back.
void RelayHub::hang_up(Node& node) {
  if (!node.line) return;
  desk_.detach(*node.agent, node.line.get());
  node.line.reset();
}

void RelayHub::wait_no_more(Node& node) {
  for (const auto& [serial, sent] : node.waiting) sent_to_.erase(serial);
  node.waiting.clear();
}

void RelayHub::pause(Node& node, Clock::time_point now) {
  node.pause_seconds = node.pause_seconds == 0 ? options_.first_pause_seconds
                                               : std::min(2 * node.pause_seconds, options_.most_pause_seconds);
  node.not_before = now + time_of(node.pause_seconds);
}

Clock::duration RelayHub::probe_after(const Node& node) const {
  constexpr double kTimesItsLongest = 4;
  return time_of(std::max(options_.probe_seconds, kTimesItsLongest * node.longest_answer_seconds));
}

// A message that was lost without a word: whoever is at work says that it is busy. Likewise who must show that it is
// still there. Questions that wait behind long work do not pile up.
bool RelayHub::wants_probe(const Node& node, Clock::time_point now) const {
  const Sent& newest = node.waiting.rbegin()->second;
  if (node.challenged > node.heard && newest.at < node.challenged) return true;
  return now - newest.at >= probe_after(node) * (1 << (node.waiting.size() - 1));
}

std::vector<RelayDispatch> RelayHub::dispatches(Clock::time_point now) {
  std::vector<RelayDispatch> out;
  for (auto& [id, node] : nodes_) {
    if (!node.present || now < node.not_before || node.left) continue;
    if (node.line && node.line->is_closed()) hang_up(node);
    if (!node.waiting.empty()) {
      if (wants_probe(node, now)) out.push_back(ask_for_hello(node, now));
    } else if (!node.line || node.challenged > node.heard) {
      out.push_back(ask_for_hello(node, now));
    } else if (node.line->has_work()) {
      out.push_back(send_letters(node, now));
    }
  }
  return out;
}

RelayDispatch RelayHub::send(Node& node, RelayDispatch::Kind kind, Clock::time_point now) {
  constexpr std::size_t kMostWaiting = 8;  // of one node that never answers
  if (node.waiting.size() == kMostWaiting) {
    sent_to_.erase(node.waiting.begin()->first);
    node.waiting.erase(node.waiting.begin());
  }
  ++serial_;
  node.waiting[serial_] = {now, !node.agent};
  sent_to_[serial_] = node.id;
  return {serial_, node.id, kind, {}};
}

RelayDispatch RelayHub::ask_for_hello(Node& node, Clock::time_point now) {
  RelayDispatch out = send(node, RelayDispatch::Kind::kHello, now);
  RelayMessage message{.serial = out.serial, .instance = instance_of(node)};
  if (node.agent) message.charter = desk_.charter(*node.agent);
  out.parcel = parcel_of(message);
  if (node.agent) desk_.count_bytes(*node.agent, 0, out.parcel.bytes());
  return out;
}

RelayDispatch RelayHub::send_letters(Node& node, Clock::time_point now) {
  RelayMessage message{.serial = 0,
                       .instance = instance_of(node),
                       .charter = desk_.charter(*node.agent),
                       .addressed = node.addressed,
                       .letters = node.line->take()};
  bool is_work = false;
  for (const Letter& letter : message.letters) {
    if (std::holds_alternative<Notice>(letter) || std::holds_alternative<Offer>(letter)) is_work = true;
    if (std::holds_alternative<Farewell>(letter)) is_work = false;
    const auto* notice = std::get_if<Notice>(&letter);
    if (notice != nullptr && notice->standing.kind == Standing::Kind::kWanted) node.offered = notice->attempt;
    const auto* offer = std::get_if<Offer>(&letter);
    if (offer == nullptr) continue;
    if (!node.offered || node.offered->round != offer->task.round) node.failures = 0;
    node.offered = Attempt{offer->task.round, offer->token};
  }
  RelayDispatch out = send(node, is_work ? RelayDispatch::Kind::kWork : RelayDispatch::Kind::kSettle, now);
  message.serial = out.serial;
  out.parcel = parcel_of(message);
  desk_.count_bytes(*node.agent, 0, out.parcel.bytes());
  return out;
}

}  // namespace fedstein
