// SPDX-License-Identifier: Apache-2.0
// An algorithm as a value: its name, its settings, and how to make its two halves.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/base/settings.h"
#include "fedstein/federated/sides.h"
#include "fedstein/model/model.h"

namespace fedstein {

// What the server knows of a federation. Model and inputs are borrowed.
struct ServerContext {
  const Model* model = nullptr;
  std::vector<Index> rows = {};  // of each agent
  std::uint64_t seed = 0;
  const Matrix* unlabelled = nullptr;  // inputs (n x p) without labels, for methods that distil at the server; or null
};

// What an agent knows: its own rows, how many there are in all, and how many agents share them. Model and data are
// borrowed.
struct AgentContext {
  const Model* model = nullptr;
  Batch data;
  Index agent = 0;
  Index total_rows = 0;
  std::uint64_t seed = 0;
  Index agents = 0;  // K; 0: not known, and methods that need it refuse
};

// The size of a federation, as every agent is told it.
struct FederationSize {
  Index agents = 0;
  Index total_rows = 0;
};
// What agent `agent` of a federation knows. Every transport makes its agents' contexts here, so that a federation gives
// the same numbers in one process and over a network.
AgentContext context_of(
    const Model& model, const Batch& rows, Index agent, const FederationSize& size, std::uint64_t seed);

struct Algorithm {
  std::string name;
  std::string summary;
  bool centralised = false;  // one agent with all data; what it exchanges is not counted as communication
  bool parallel = false;     // takes several agents a round
  std::vector<Setting> settings = {};
  // Why the method cannot serve this model, in a sentence; empty when it can. Unset: it serves every model.
  std::function<std::string(const Model&)> objection = {};
  std::function<std::unique_ptr<ServerSide>(const ServerContext&, const Settings&)> make_server = {};
  std::function<std::unique_ptr<AgentSide>(const AgentContext&, const Settings&)> make_agent = {};
};

// What every task's belief looks like, matrix by matrix. It depends on method, model and settings, never on the rows;
// chains that are dealt out vary in number.
struct BeliefShape {
  Index least_rows = 0;
  Index most_rows = 0;
  Index columns = 0;
};
std::vector<BeliefShape> belief_shapes(const Algorithm& algorithm,
                                       const Settings& settings,
                                       const Model& model,
                                       Index agents);
// The largest such belief, of zeros.
Belief largest_belief(const std::vector<BeliefShape>& shapes);
// Why a task's belief cannot be one of these: for an agent that does not believe its server. Empty: it can.
std::string objection_to(const Belief& belief, const std::vector<BeliefShape>& shapes);

}  // namespace fedstein
