// SPDX-License-Identifier: Apache-2.0
// An agent with a good certificate reports overflows without end. The operator hears of it, and the others go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "fedstein/federated/coordinator.h"
#include "rpc/test_federation.h"
#include "support/close.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr Index kLiar = 3;

// The same in one process.
Particles in_process(const TestFederation& federation, const Lie& lie) {
  const auto server = federation.make_server();
  std::vector<std::unique_ptr<AgentSide>> sides;
  std::vector<AgentSide*> agents;
  for (Index k = 0; k < federation.which().agents; ++k) {
    sides.push_back(federation.make_agent(k, federation.total_rows()));
    agents.push_back(sides.back().get());
  }
  LyingAgent liar(*agents[kLiar], lie);
  agents[kLiar] = &liar;
  InProcessTransport transport(agents);
  class : public Observer {
    Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
  } nobody;
  coordinate(*server, *federation.scheduler(), transport, nobody, {.rounds = federation.which().rounds});
  return server->particles();
}

TEST(LyingAgent, IsLeftOutAndTheOperatorHearsOfIt) {
  // The liar has 41 of 98 rows: less than half, or the others would have to believe it.
  const TestCase which{
      .algorithm = "c-dsvgd", .agents = 4, .rounds = 14, .setting = {}, .schedule = "fraction", .fraction = 1};
  const Lie lie = [](Index, MatrixRef report) { report(0, 1) = 1; };
  const TemporaryFolder folder;
  std::mutex mutex;
  std::vector<std::string> lines;
  std::promise<int> port;
  auto server = std::async(std::launch::async, [&] {
    return serve({.which = which,
                  .state = folder.path("server"),
                  .on_serving = [&](int number, ServerDesk&) { port.set_value(number); },
                  .on_event =
                      [&](const std::string& line) {
                        const std::lock_guard lock(mutex);
                        lines.push_back(line);
                      }});
  });
  const std::string address = "127.0.0.1:" + std::to_string(port.get_future().get());
  std::vector<std::future<AgentRunner::Ending>> agents;
  for (Index k = 0; k < which.agents; ++k) {
    agents.push_back(std::async(std::launch::async, [&, k] {
      return run_agent({.which = which,
                        .agent = k,
                        .server = address,
                        .state = folder.path(TestFederation::name_of(k)),
                        .lie = k == kLiar ? lie : Lie()});
    }));
  }
  for (auto& agent : agents) EXPECT_EQ(agent.get(), AgentRunner::Ending::kRunIsOver);
  const ServeResult found = server.get();
  EXPECT_TRUE(identical(found.particles, in_process(TestFederation(which), lie)));
  ASSERT_EQ(found.records.size(), 14U);
  EXPECT_EQ(found.records[9].folded.size(), 4U);  // obeyed: the round was tried again
  EXPECT_EQ(found.records[10].folded, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(found.records[10].figures.at("left_out"), 1);
  EXPECT_EQ(found.status.agents[kLiar].failures, 4);
  EXPECT_EQ(found.status.agents[0].failures, 0);
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("agent-3"), HasSubstr("reports an overflow again and again"))));
}

}  // namespace
}  // namespace fedstein
