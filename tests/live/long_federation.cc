// SPDX-License-Identifier: Apache-2.0
// A federation of many agents and rounds over gRPC in one process, with its live page: what web/live_test/long.test.js
// looks at. Usage: long_federation FOLDER AGENTS ROUNDS. Prints the page's address; ends when its input does.
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "fedstein/live/federation_parts.h"
#include "fedstein/live/live_page.h"
#include "fedstein/live/live_run.h"
#include "fedstein/network/agent_link_to.h"
#include "fedstein/network/network_server.h"
#include "fedstein/serving/federation_agent.h"

namespace fedstein {
namespace {

OwnRows measured(std::uint64_t agent) {
  Matrix x(12, 2);
  Rng({.seed = agent}).fill_normal(x);
  return {x, (x.col(0) - x.col(1)).cwiseSign()};
}

std::string configuration(const std::string& folder, const std::string& agents, const std::string& rounds) {
  return "experiment = { name = 'long', title = 'Many agents, many rounds', dataset = 'rows.csv', agents = " + agents +
         ", trials = 1 }\nalgorithm = [{ type = 'dsvgd', particles = 4, local_steps = 1, rounds = " + rounds +
         " }]\nserver = { address = '127.0.0.1:0', features = 2, linger_seconds = 10, state = '" + folder +
         "/server' }\n";
}

void run(const std::string& folder, const std::string& agents, const std::string& rounds) {
  NetworkServer server(parse_federation(configuration(folder, agents, rounds), "the test", {}), {.insecure = true});
  const FederationPlan& federation = server.server().federation();
  const auto live = std::make_shared<LiveRun>(
      LiveKind::kFederation, federation.plan, server.server().store(), server.server().stored_run());
  server.server().store().watch(live);
  const LivePage page({.parts = [&] {
    Board::Parts parts;
    live->show(parts);
    show_federation(parts,
                    {.address = server.address(), .rounds = federation.algorithm().rounds, .label = "dsvgd"},
                    server.server().desk().status());
    return parts;
  }});
  std::cout << "live page: " << page.url() << std::endl;
  std::vector<std::jthread> threads;
  for (std::uint64_t k = 0; k < std::stoull(agents); ++k) {
    threads.emplace_back([&, k] {
      const std::string name = "agent-" + std::to_string(k);
      FederationAgent agent(agent_link_to(server.address(), {.insecure_name = name}),
                            {.rows = measured(k), .test_rows = measured(k + 1000)},
                            {.state = folder + "/" + name});
      agent.run();
    });
  }
  server.run();
  threads.clear();
  live->end("finished");
  std::cout << "done" << std::endl;
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());
}

}  // namespace
}  // namespace fedstein

int main(int count, char** words) {
  if (count != 4) return 64;
  fedstein::run(words[1], words[2], words[3]);
}
