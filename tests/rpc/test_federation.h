// SPDX-License-Identifier: Apache-2.0
// A small real federation - logistic regression, any algorithm of the registry - that can run in one process, over
// loopback in threads, or in processes of its own, always with the same numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/algorithm/federation.h"
#include "fedstein/exchange/agent_session.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/rpc/grpc_agent_link.h"
#include "fedstein/rpc/rpc_server.h"
#include "fedstein/serving/agent_runner.h"
#include "fedstein/serving/federation_server.h"
#include "support/lying_agent.h"

namespace fedstein {

struct TestCase {
  std::string algorithm = "dsvgd";
  Index agents = 3;
  Index rounds = 6;
  // The belief that travels: particles x (inputs + 1) numbers.
  Index particles = 4;
  Index inputs = 3;
  std::string setting = {};   // KEY=VALUE, one that differs from its default
  std::string schedule = {};  // fraction or round-robin; empty: what the algorithm is for
  double fraction = 0.67;     // of the agents, a round
};

class TestFederation {
 public:
  explicit TestFederation(const TestCase& which);

  const TestCase& which() const { return which_; }
  const Algorithm& algorithm() const { return *algorithm_; }
  // Whether several agents work in a round.
  bool parallel() const;
  // What the server is started with, as from a configuration.
  FederationPlan plan(const std::string& state) const;
  std::unique_ptr<Scheduler> scheduler() const;
  std::unique_ptr<ServerSide> make_server() const;
  std::unique_ptr<AgentSide> make_agent(Index k, Index total_rows) const;
  Index total_rows() const;
  std::vector<BeliefShape> shapes() const;
  Index rows(Index k) const { return x_[static_cast<std::size_t>(k)].rows(); }
  Index dimension() const { return model_.dimension(); }
  static std::string name_of(Index k) { return "agent-" + std::to_string(k); }

  // Particles and agents' states of the run in one process.
  struct Result {
    Particles particles;
    std::vector<std::string> states;
  };
  Result run_in_process() const;
  // The same when only these agents took part, round by round; perhaps nobody.
  Result run_in_process(const std::vector<std::vector<Index>>& realised) const;

 private:
  std::vector<std::vector<Index>> scheduled() const;
  Batch shard(std::size_t k) const { return {x_[k], y_[k]}; }

  TestCase which_;
  const Algorithm* algorithm_;
  LogisticRegression model_;
  Settings settings_;
  std::vector<Matrix> x_;
  std::vector<Vector> y_;
};

// An authority with a server and the agents of a case, as PEM files NAME.crt and NAME.key beside ca.crt and ca.crl.
void make_certificates(const std::string& folder, Index agents);
KeyPair certificate_of(const std::string& folder, const std::string& name);

struct ServeArguments {
  TestCase which = {};
  std::string state = {};         // folder
  std::string certificates = {};  // folder; empty: insecure
  std::string address = "127.0.0.1:0";
  double lease_seconds = 10;
  OnLapse on_lapse = OnLapse::kWait;
  double quorum = 0;
  double norm_bound = 0;
  double update_bound = 1000;
  double patience = 3600;
  double linger = 30;
  std::function<std::int64_t()> now = {};  // the server's clock, as certificates are judged by it
  std::function<void(int port, ServerDesk& desk)> on_serving = {};
  EventLog::Tell on_event = {};
};
struct ServeResult {
  Particles particles;
  DeskStatus status;
  std::vector<RoundRecord> records;  // of the rounds since the start of this process
};
// The server as `fedstein serve` starts it, until the run is over. Throws ServingStopped.
ServeResult serve(const ServeArguments& arguments);

struct AgentArguments {
  TestCase which = {};
  Index agent = 0;
  std::string server = {};
  std::string state = {};
  std::string certificates = {};
  bool forget_factor = false;
  bool replays = false;       // sends every upload once more, later
  bool cannot_judge = false;  // every belief that it should judge makes it throw
  Lie lie = {};               // of an agent of c-dsvgd
  double most_backoff_seconds = 0.2;
  std::function<void()> on_evaluate = {};                 // while it works, after every upload
  std::function<void(const std::string&)> on_event = {};  // every line for the log
};
AgentLinkOptions link_options(const AgentArguments& arguments);
AgentRunner::Ending run_agent(const AgentArguments& arguments);
// What the agent has kept, from its folder.
std::string side_state_in(const std::string& state_folder);

}  // namespace fedstein
