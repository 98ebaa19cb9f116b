// SPDX-License-Identifier: Apache-2.0
// A participant of a networked federation, put together: state folder, rows, algorithm and the loop that comes back
// when a line breaks. What carries its calls is given to it; network/agent_link_to.h makes the one over gRPC.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "fedstein/serving/agent_runner.h"
#include "fedstein/serving/agent_work.h"
#include "fedstein/store/agent_folder.h"

namespace fedstein {

struct FederationAgentOptions {
  std::string state = {};                                      // folder for what the agent keeps between rounds
  bool forget_factor = false;                                  // a lost or outdated state is given up
  std::function<void(const std::string& line)> on_event = {};  // what an operator should hear
  std::function<void(const std::string& line)> on_round = {};  // every round that counts an update of this agent
};

class FederationAgent {
 public:
  // Throws InvalidArgument unless the data say where the rows come from, StoreError for the folder.
  FederationAgent(std::unique_ptr<AgentLink> link, AgentData data, FederationAgentOptions options);

  // Until the run is over, or stop(). Throws TurnedAway, DataError and what the state folder throws. Once.
  AgentRunner::Ending run() { return runner_.run(); }
  // From any thread: after the work in hand, if there is some.
  void stop() { runner_.stop(); }

  // From any thread, while run() works: the latest particles that the server has sent; empty before the first task.
  Particles particles() const { return work_.latest(); }
  // How well they predict the test rows (accuracy, log_likelihood, ...); empty without test rows or particles.
  std::map<std::string, double> figures() const { return work_.figures(); }

 private:
  std::unique_ptr<AgentLink> link_;
  AgentWork work_;
  AgentFolder folder_;
  AgentRunner runner_;
};

}  // namespace fedstein
