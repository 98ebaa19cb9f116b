// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/event_log.h"

#include <algorithm>

#include "fedstein/base/text.h"
#include "fedstein/exchange/printable.h"

namespace fedstein {
namespace {

constexpr Index kNobody = -1;
constexpr std::size_t kKept = 200;
constexpr std::size_t kMostDetails = 64;  // words to count by, of one agent: they are ours, but nobody relies on it
constexpr double kMostLines = 100;
constexpr double kLinesPerSecond = 1;

bool is_same(const ServerEvent& a, const ServerEvent& b) {
  return a.kind == b.kind && a.agent == b.agent && a.detail == b.detail && a.reason == b.reason;
}

}  // namespace

const char* name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kRefusal:
      return "refused";
    case EventKind::kLapse:
      return "lapse";
    case EventKind::kDeadline:
      return "deadline";
    case EventKind::kFailure:
      return "failure";
    case EventKind::kRevocation:
      return "revocation";
    case EventKind::kRetry:
      return "retry";
    case EventKind::kNotice:
      return "notice";
  }
  return "unknown";
}

EventLog::EventLog(std::vector<std::string> agents, Tell tell) : agents_(std::move(agents)), tell_(std::move(tell)) {}

std::string EventLog::line_of(const ServerEvent& event, Allowance& allowance) const {
  const auto now = std::chrono::steady_clock::now();
  const double since = std::chrono::duration<double>(now - allowance.refilled).count();
  allowance.lines = std::min(kMostLines, allowance.lines + kLinesPerSecond * since);
  allowance.refilled = now;
  if (allowance.lines < 1) {
    ++allowance.withheld;
    return {};
  }
  allowance.lines -= 1;
  std::string line = event.at + " " + name_of(event.kind) + " ";
  if (event.kind != EventKind::kNotice) line += (event.agent.empty() ? "a stranger" : event.agent) + " ";
  line += "(" + event.detail + "): " + event.reason;
  if (allowance.withheld > 0) line += " (and " + std::to_string(allowance.withheld) + " more before it)";
  allowance.withheld = 0;
  return line;
}

void EventLog::add(
    EventKind kind, std::optional<Index> agent, const std::string& detail, const std::string& reason, Line told) {
  const std::lock_guard lock(mutex_);
  const Index number = agent.value_or(kNobody);
  ServerEvent event{.at = utc_now(),
                    .kind = kind,
                    .agent = agent ? agents_.at(static_cast<std::size_t>(number)) : std::string(),
                    .detail = printable(detail, 40),
                    .reason = printable(reason)};
  Counts& counts = counts_[number];
  std::pair key(kind, event.detail);
  if (!counts.contains(key) && counts.size() >= kMostDetails) key.second = "other";
  ++counts[key];
  const std::string line = told == Line::kOne ? line_of(event, allowances_[{number, kind}]) : std::string();
  if (tell_ && !line.empty()) tell_(line);
  if (!latest_.empty() && is_same(latest_.back(), event)) {
    ++latest_.back().times;
    latest_.back().at = event.at;
    return;
  }
  latest_.push_back(std::move(event));
  if (latest_.size() > kKept) latest_.pop_front();
}

EventLog::Counts EventLog::counts(std::optional<Index> agent) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(agent.value_or(kNobody));
  return found == counts_.end() ? Counts() : found->second;
}

std::vector<ServerEvent> EventLog::latest() const {
  const std::lock_guard lock(mutex_);
  return {latest_.begin(), latest_.end()};
}

}  // namespace fedstein
