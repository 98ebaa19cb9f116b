// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/federated/coordinator.h"

namespace fedstein {

// What a federation has besides algorithm, model and shards; a seed alone will do.
struct FederationOptions {
  // Not explicit: where a seed is enough, a number may stand.
  FederationOptions(std::uint64_t random_seed, const Matrix* server_inputs = nullptr)
      : seed(random_seed), unlabelled(server_inputs) {}

  std::uint64_t seed;
  const Matrix* unlabelled;  // borrowed; see ServerContext
};

// A whole federation in this process: an algorithm's server and its agents, each with its own rows. A centralised
// algorithm has one agent. Model and data are borrowed.
class LocalFederation {
 public:
  // shards: the rows of each agent; a centralised algorithm takes exactly one, all the data.
  LocalFederation(const Algorithm& algorithm,
                  const Settings& settings,
                  const Model& model,
                  const std::vector<Batch>& shards,
                  const FederationOptions& options);

  ServerSide& server() { return *server_; }
  AgentSide& agent(Index k) { return *agents_.at(static_cast<std::size_t>(k)); }
  Index agents() const { return static_cast<Index>(agents_.size()); }
  std::vector<AgentSide*> agent_pointers() const;

  // Everything, saved and restored exactly; between rounds.
  std::string save() const;
  void restore(const std::string& bytes);

 private:
  std::unique_ptr<ServerSide> server_;
  std::vector<std::unique_ptr<AgentSide>> agents_;
};

}  // namespace fedstein
