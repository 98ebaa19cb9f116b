// SPDX-License-Identifier: Apache-2.0
// What travels between the relays when another engine carries the bytes. The server speaks and an agent answers: an
// answer is a whole visit of the agent, with its hello, as after a line that broke. docs/flower.md has the picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/exchange/letters.h"
#include "fedstein/relay/parcel.h"

namespace fedstein {

// From the server to a node.
struct RelayMessage {
  std::int64_t serial = 0;              // of this message, never used twice by one process; its answer repeats it
  std::uint64_t instance = 0;           // how the server tells this node from another of the same name
  std::optional<Charter> charter = {};  // none: the node is asked for its name
  std::optional<Hello> addressed = {};  // the state that the letters are for; none: the agent is asked for its hello
  std::vector<Letter> letters = {};
};

// An agent and its state, as on every arrival.
struct RelayArrival {
  AgentFacts facts = {};
  Hello hello = {};
};

// From a node to the server.
struct RelayAnswer {
  std::int64_t serial = 0;
  std::string name = {};     // of its operator's choice: who it wants to be
  bool busy = false;         // an earlier message is being worked on
  std::string trouble = {};  // why the agent cannot take part, as far as the server may know; empty: it can
  std::optional<RelayArrival> arrival = {};
  std::optional<Upload> upload = {};
  std::vector<Failure> failures = {};  // of settling; of round 0: it cannot take part
  std::vector<EvaluationReport> evaluations = {};
  bool leaves = false;  // it has heard that the run is over
};

Parcel parcel_of(const RelayMessage& message);
Parcel parcel_of(const RelayAnswer& answer);

// Throw BadState with one sentence. `agent`: whose answer it is, which no words of its own can change.
RelayMessage message_from(const Parcel& parcel);
RelayAnswer answer_from(const Parcel& parcel, Index agent);

}  // namespace fedstein
