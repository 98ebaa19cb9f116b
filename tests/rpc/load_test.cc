// SPDX-License-Identifier: Apache-2.0
// Two hundred agents in parallel rounds on one machine.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "rpc/test_federation.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

// Particles and inputs of the belief that travels.
class Load : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(Load, TwoHundredAgentsInParallelRounds) {
  const auto [particles, inputs] = GetParam();
  const TestCase which{.algorithm = "p-dsvgd", .agents = 200, .rounds = 10, .particles = particles, .inputs = inputs};
  const TemporaryFolder folder;
  make_certificates(folder.path("ca"), which.agents);
  const auto command = [&](const std::string& role, const std::string& state, const std::string& last) {
    return std::vector<std::string>{
        FEDSTEIN_FEDERATION_PROCESS,
        role,
        which.algorithm + "," + std::to_string(which.particles) + "," + std::to_string(which.inputs),
        std::to_string(which.agents),
        std::to_string(which.rounds),
        folder.path(state),
        folder.path("ca"),
        last};
  };
  Process server(command("server", "server", folder.path("port")), folder.path("."), "server");
  int port = 0;
  while (server.running() && !(std::ifstream(folder.path("port")) >> port)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Process crowd(command("crowd", "agent-", "127.0.0.1:" + std::to_string(port)), folder.path("."), "crowd");
  EXPECT_EQ(crowd.wait(), 0) << crowd.errors();
  ASSERT_EQ(server.wait(), 0) << server.errors();

  std::istringstream summary(server.output());
  std::string word;
  double rounds = 0;
  double seconds = 0;
  double payload = 0;
  double wire = 0;
  double memory = 0;
  summary >> word >> rounds >> word >> seconds >> word >> payload >> word >> wire >> word >> memory;
  std::cout << "load: 200 agents, 134 a round, " << particles << " x " << inputs + 1 << " numbers: " << rounds / seconds
            << " rounds/s, server's peak memory " << memory << " MiB, " << wire / payload
            << " bytes on the wire per byte of payload (" << payload / rounds / 268 << " bytes each way)\n";
  EXPECT_EQ(rounds, 10);
  EXPECT_LT(memory, 1024);
}
INSTANTIATE_TEST_SUITE_P(Payloads,
                         Load,
                         testing::Values(std::pair<Index, Index>{4, 3},
                                         std::pair<Index, Index>{6, 54},
                                         std::pair<Index, Index>{20, 999}));

}  // namespace
}  // namespace fedstein
