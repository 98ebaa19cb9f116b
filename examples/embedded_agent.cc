// SPDX-License-Identifier: Apache-2.0
// Agents in a program of yours, with rows that it measured itself. The server is the one that `fedstein serve` starts.
#include <unistd.h>
#include <filesystem>
#include <iostream>
#include <thread>
#include "fedstein/network/agent_link_to.h"
#include "fedstein/network/network_server.h"
#include "fedstein/serving/federation_agent.h"
using namespace fedstein;
OwnRows measure(std::uint64_t device, Index rows) {  // the label is 1 where the first reading is above the second
  Matrix x(rows, 2);
  Rng({.seed = device}).fill_normal(x);
  return {x, (x.col(0) - x.col(1)).cwiseSign()};
}

int main() {
  const std::string folder = std::filesystem::temp_directory_path() / ("embedded-" + std::to_string(getpid()) + "/");
  const std::string text =
      "experiment = { name = 'demo', dataset = 'rows.csv', agents = 2, trials = 1 }\n"
      "algorithm = [{ type = 'dsvgd', particles = 8, rounds = 6 }]\n"
      "server = { address = '127.0.0.1:0', features = 2, state = '" +
      folder + "server' }\n";
  NetworkServer server(parse_federation(text, "the example", {}), {.insecure = true});
  const auto learn = [&](const std::string& name, std::uint64_t k) {
    const AgentData data{.rows = measure(k, 60), .test_rows = measure(k + 100, 200)};
    FederationAgent agent(agent_link_to(server.address(), {.insecure_name = name}), data, {.state = folder + name});
    agent.run();
    return agent.figures().at("accuracy");
  };
  std::jthread serving([&] { server.run(); });  // what a thread throws ends the program with its sentence
  std::jthread other([&] { learn("agent-1", 1); });
  const double accuracy = learn("agent-0", 0);
  other.join();
  serving.join();
  std::cout << "after 6 rounds over the network: accuracy " << accuracy << "\n";
  return std::filesystem::remove_all(folder) > 0 && accuracy > 0.9 ? 0 : 1;
}
