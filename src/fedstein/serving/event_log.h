// SPDX-License-Identifier: Apache-2.0
// What an operator should hear of: every refusal, lapse, missed deadline, failure and revocation, with the agent and
// the reason. One place counts them, keeps the latest for `status`, and writes the log's lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

enum class EventKind {
  kRefusal,     // a call, an update or a report was turned away
  kLapse,       // no heartbeat for a lease
  kDeadline,    // no update in time
  kFailure,     // the agent says that its work failed
  kRevocation,  // the agent's certificate is worth nothing any more, or is again
  kRetry,       // the agent came back, or gets its task again
  kNotice,      // the server's own state
};
const char* name_of(EventKind kind);

struct ServerEvent {
  std::string at = {};  // UTC
  EventKind kind = EventKind::kNotice;
  std::string agent = {};   // empty: nobody's, or a stranger's
  std::string detail = {};  // a word to count by: norm, late, certificate, ...
  std::string reason = {};
  std::int64_t times = 1;  // the same, one after another
};

// For any number of threads, from inside any other lock: it calls nobody but `tell`.
class EventLog {
 public:
  using Tell = std::function<void(const std::string& line)>;
  using Counts = std::map<std::pair<EventKind, std::string>, std::int64_t>;

  // tell: gets the log's lines; may be empty.
  EventLog(std::vector<std::string> agents, Tell tell);

  // Texts may come from anybody. `agent` empty: a stranger's, or for kNotice the server's own.
  // Line::kNone: one of a series that has been told already; it is counted and kept like any other.
  enum class Line { kOne, kNone };
  void add(EventKind kind,
           std::optional<Index> agent,
           const std::string& detail,
           const std::string& reason,
           Line told = Line::kOne);

  // By kind and detail; of an agent, or of everybody else.
  Counts counts(std::optional<Index> agent) const;
  std::vector<ServerEvent> latest() const;  // oldest first, at most some hundred

 private:
  // Lines of one agent and kind: a hundred at once, then one a second. Whoever is refused without end fills no disk.
  struct Allowance {
    double lines = 100;
    std::chrono::steady_clock::time_point refilled = {};
    std::int64_t withheld = 0;
  };
  std::string line_of(const ServerEvent& event, Allowance& allowance) const;

  std::vector<std::string> agents_;
  Tell tell_;
  mutable std::mutex mutex_;  // of everything below
  std::map<Index, Counts> counts_;
  std::map<std::pair<Index, EventKind>, Allowance> allowances_;
  std::deque<ServerEvent> latest_;
};

}  // namespace fedstein
