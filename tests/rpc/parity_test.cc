// SPDX-License-Identifier: Apache-2.0
// The same federation in one process and over TLS on loopback: equal to the last bit, at the server and at every agent.
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <optional>

#include "fedstein/numeric/check.h"
#include "rpc/test_federation.h"
#include "support/close.h"
#include "support/method_variants.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

// Returns the rounds that the method has undone.
double expect_parity(const TestCase& which) {
  // Some choices do not go together; then both refuse before anything is served.
  const TestFederation federation(which);
  std::optional<TestFederation::Result> local;
  try {
    local = federation.run_in_process();
  } catch (const InvalidArgument&) {
    EXPECT_ANY_THROW((federation.make_server(), federation.make_agent(0, federation.total_rows())));
    return 0;
  }
  const TemporaryFolder folder;
  const std::string certificates = folder.path("ca");
  make_certificates(certificates, which.agents);

  std::promise<int> port;
  auto server = std::async(std::launch::async, [&] {
    return serve({.which = which,
                  .state = folder.path("server"),
                  .certificates = certificates,
                  .on_serving = [&](int number, ServerDesk&) { port.set_value(number); }});
  });
  const std::string address = "127.0.0.1:" + std::to_string(port.get_future().get());
  std::vector<std::future<AgentRunner::Ending>> agents;
  for (Index k = 0; k < which.agents; ++k) {
    agents.push_back(std::async(std::launch::async, [&, k] {
      return run_agent({.which = which,
                        .agent = k,
                        .server = address,
                        .state = folder.path(TestFederation::name_of(k)),
                        .certificates = certificates,
                        .replays = true});
    }));
  }
  for (auto& agent : agents) EXPECT_EQ(agent.get(), AgentRunner::Ending::kRunIsOver);
  const ServeResult found = server.get();

  const TestFederation::Result& wanted = *local;
  EXPECT_TRUE(identical(found.particles, wanted.particles));
  for (Index k = 0; k < which.agents; ++k) {
    EXPECT_EQ(side_state_in(folder.path(TestFederation::name_of(k))), wanted.states[static_cast<std::size_t>(k)]) << k;
  }
  EXPECT_EQ(found.records.size(), static_cast<std::size_t>(which.rounds));
  double undone = 0;
  for (const RoundRecord& record : found.records) {
    if (record.figures.contains("undone")) undone += record.figures.at("undone");
    EXPECT_EQ(record.folded, record.scheduled);
    EXPECT_TRUE(record.failures.empty()) << (record.failures.empty() ? "" : record.failures.front().reason);
  }
  for (const AgentStatus& agent : found.status.agents) EXPECT_EQ(agent.evaluated_round, which.rounds);
  return undone;
}

class Parity : public testing::TestWithParam<std::string> {};

TEST_P(Parity, OverTheNetworkAsInOneProcess) {
  const MethodVariant variant = method_variant(GetParam());
  expect_parity({.algorithm = variant.algorithm, .agents = 3, .rounds = 7, .setting = variant.setting});
}

// One method, three kinds of rounds by different rules. With a first step out of proportion some of them are undone.
TEST(ParityOfRounds, CDsvgdTakesAllAgentsSomeOrOneInTurn) {
  double undone = 0;
  for (const char* const setting : {"", "step=3000", "step=1e8"}) {
    TestCase which{.algorithm = "c-dsvgd", .agents = 4, .rounds = 12, .setting = setting, .schedule = "fraction"};
    for (const double fraction : {1.0, 0.5}) {
      which.fraction = fraction;
      undone += expect_parity(which);
    }
    which.schedule = "round-robin";
    undone += expect_parity(which);
  }
  EXPECT_GT(undone, 0);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Parity, testing::ValuesIn(method_variants()), [](const auto& which) {
  return variant_test_name(which.param);
});

}  // namespace
}  // namespace fedstein
