// SPDX-License-Identifier: Apache-2.0
// What a server can tell of its connections: plain values, a snapshot.
#pragma once

#include <cstdint>
#include <string>

namespace fedstein {

struct DoorStatus {
  std::int64_t open = 0;          // connections at the moment
  std::int64_t unidentified = 0;  // of them: no agent has called on them yet
  std::int64_t accepted = 0;      // since the start
  // Closed by the server since the start, by reason.
  std::int64_t closed_silent = 0;   // no agent called in time
  std::int64_t closed_crowded = 0;  // to make room for newcomers
  std::int64_t closed_surplus = 0;  // more than one agent may have
  std::int64_t closed_greedy = 0;   // sent more than calls may have
  std::int64_t failed_handshakes = 0;
  std::int64_t failed_accepts = 0;
  std::string trouble = {};  // why no connection can be accepted now; empty: they can
};

}  // namespace fedstein
