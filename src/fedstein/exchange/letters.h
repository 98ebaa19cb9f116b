// SPDX-License-Identifier: Apache-2.0
// What is said besides the rounds themselves: how an agent is told what the federation is about, what it tells of
// itself, and what the server pushes to it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "fedstein/exchange/exchange_messages.h"
#include "fedstein/metrics/evaluation_sums.h"

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
  bool evaluates = false;        // it has rows to evaluate beliefs on, and enough of them to report sums
};

// All agents are known: work may come. Nothing here is of one agent alone but the last number.
struct Beginning {
  Index agents = 0;
  Index total_rows = 0;
  std::string statistics = {};  // of all agents together, for the scaling; empty when that is fixed
  Index last_folded = 0;        // the last round that took this agent's update in
  Index evaluations_from = 1;   // round; evaluations of earlier ones are on the server's disk, or of no use any more
};

// The run is over.
struct Farewell {
  Index round = 0;
  Belief belief = {};
};

// The server wants a heartbeat now: another process of the same name has called, and only one of them can be the agent.
struct BeatRequest {};

// The server's pushes, in the order in which an agent hears them.
using Letter = std::variant<Beginning, Notice, Offer, Farewell, BeatRequest>;

// How well the belief after a round predicts one agent's own test rows. The sums add up across agents.
struct EvaluationReport {
  Index round = 0;
  EvaluationSums sums = {};
};

// Sums over fewer test rows than this nearly show the rows: agents keep them, servers refuse them.
inline constexpr Index kFewestEvaluatedRows = 10;

}  // namespace fedstein
