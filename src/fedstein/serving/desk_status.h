// SPDX-License-Identifier: Apache-2.0
// What a server can tell of itself: plain values, a snapshot.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/serving/event_log.h"
#include "fedstein/serving/federated_evaluation.h"

namespace fedstein {

struct AgentStatus {
  std::string name = {};
  bool enrolled = false;
  bool attached = false;
  bool left = false;              // said goodbye after the last round
  std::string away_since = {};    // UTC; empty: it is attached, or has never been
  std::string away_because = {};  // in words
  std::string bar = {};           // why it cannot take part: its certificate is revoked
  bool waited_for = false;
  Index rows = 0;
  Index last_folded = 0;           // round
  double lease_left_seconds = -1;  // below 0: nothing is waited for
  std::int64_t lapses = 0;
  std::int64_t missed_deadlines = 0;
  std::int64_t failures = 0;
  std::map<std::string, std::int64_t> refusals = {};  // by kind
  std::int64_t bytes_in = 0;                          // messages, as they travel inside TLS
  std::int64_t bytes_out = 0;
  Index evaluated_round = 0;  // the last one that it has evaluated; 0: none
  std::int64_t evaluated_rows = 0;
};

struct DeskStatus {
  std::string run = {};
  bool begun = false;
  bool finished = false;
  Index closed_round = 0;
  Index open_round = 0;
  std::int64_t payload_up = 0;  // numbers alone
  std::int64_t payload_down = 0;
  std::map<std::string, std::int64_t> stranger_refusals = {};  // of callers that are nobody's agent
  std::vector<AgentStatus> agents = {};
  std::vector<ServerEvent> events = {};  // the latest, oldest first
  // Of the belief that most agents evaluated last; nothing before the first report.
  std::optional<EvaluatedRound> evaluated = {};
};

}  // namespace fedstein
