// SPDX-License-Identifier: Apache-2.0
// What server and agents say to each other around tasks and updates: plain values, without a trace of any wire format.
// docs/protocol.md has the state machine that they belong to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fedstein/federated/messages.h"

namespace fedstein {

// A fencing token: one attempt of one agent at one round. Grows by one each time, is never used twice, and is in the
// journal before the task leaves. 0 is nobody's.
using Token = std::int64_t;

// An attempt that an agent has in hand: its update is on disk, its verdict not yet known.
struct Attempt {
  Index round = 0;
  Token token = 0;
};

// An agent presents itself, after every (re)connection and before anything else.
struct Hello {
  std::string run = {};  // the federation that its state belongs to; empty: it has none yet
  Index settled = 0;     // the last round in which an update of its own was folded and settled
  std::optional<Attempt> in_hand = {};
  bool forgets = false;  // its operator gives the lost factor up (--forget-factor)
};

// What the server knows of an attempt: the one answer to hello, to an upload, and to the question for a verdict.
struct Standing {
  enum class Kind {
    kWanted,   // the attempt is the current one and nothing has arrived: send it
    kHeld,     // it is in the journal; the verdict comes when the round is folded
    kFolded,   // it counts: commit
    kDropped,  // it does not count and never will: forget it
    kLater,    // nothing can be said at this instant: ask again
  };
  Kind kind = Kind::kDropped;
  double weight = 0;        // of a folded one
  std::string reason = {};  // of a dropped one, when there is more to say than "too late"
};
const char* name_of(Standing::Kind kind);

// Work for one agent.
struct Offer {
  Token token = 0;
  Task task = {};
  // The particles to predict with after the round before this one, for an agent that evaluates them. Empty: the first
  // matrix of the task's belief is them.
  Particles predicting = {};
};

// An agent's answer to an offer: an update, or why there is none.
struct Upload {
  Token token = 0;
  Reply reply = {};
};

// The verdict, pushed to an agent after its round.
struct Notice {
  Attempt attempt = {};
  Standing standing = {};
};

}  // namespace fedstein
