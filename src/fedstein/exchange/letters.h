// SPDX-License-Identifier: Apache-2.0
// What is said besides the rounds themselves: how an agent is told what the federation is about, what it tells of
// itself, and what the server pushes to it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "fedstein/exchange/exchange_messages.h"
#include "fedstein/metrics/reliability_bin.h"

namespace fedstein {

// The federation, as the server tells it to an agent that has shown its certificate.
struct Charter {
  std::string run = {};
  Index agent = 0;
  Index agents = 0;
  std::string document = {};  // the configuration; what it means is known to whoever makes the agent's side
  double heartbeat_seconds = 1;
};

// What an agent says of itself with every hello. Rows of data never travel; sums over them may.
struct AgentFacts {
  std::string algorithm = {};
  Index dimension = 0;  // of the model that it has made of the document
  Index rows = 0;
  Index features = 0;
  std::string statistics = {};   // additive, for the scaling; empty when that is fixed
  std::string rows_digest = {};  // of the rows themselves, for the agent's own record; never sent
  std::uint64_t instance = 0;    // of this process: tells it from another one of the same name; 0: not said
};

// All agents are known: work may come. Nothing here is of one agent alone but the last number.
struct Beginning {
  Index agents = 0;
  Index total_rows = 0;
  std::string statistics = {};  // of all agents together, for the scaling; empty when that is fixed
  Index last_folded = 0;        // the last round that took this agent's update in
};

// The run is over.
struct Farewell {
  Index round = 0;
  Belief belief = {};
};

// The server's pushes, in the order in which an agent hears them.
using Letter = std::variant<Beginning, Notice, Offer, Farewell>;

// Reliability bins of one agent's own test rows, for the belief of one version. They add up across agents.
struct CalibrationCounts {
  Index version = 0;
  std::vector<ReliabilityBin> bins = {};
};

}  // namespace fedstein
