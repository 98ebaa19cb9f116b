// SPDX-License-Identifier: Apache-2.0
// Server and agents as objects in one program, over loopback, with rows in memory.
#include <future>

#include "fedstein/algorithm/federation.h"
#include "fedstein/data/error.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/network/agent_link_to.h"
#include "fedstein/network/network_server.h"
#include "fedstein/numeric/check.h"
#include "fedstein/serving/federation_agent.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

OwnRows rows_of(std::uint64_t seed, Index count) {
  OwnRows out{random_matrix(count, 2, seed), Vector(count)};
  for (Index i = 0; i < count; ++i) out.y(i) = out.x(i, 0) > out.x(i, 1) ? 1 : -1;
  return out;
}

class EmbeddedFederation : public testing::Test {
 protected:
  FederationPlan plan(const std::string& scaling) const {
    const std::string text =
        "[experiment]\nname = \"embedded\"\npreset = \"paper\"\ndataset = \"rows.csv\"\nagents = 2\ntrials = "
        "1\nscaling = \"" +
        scaling +
        "\"\n[federation]\nrounds = 4\n[[algorithm]]\ntype = \"dsvgd\"\nlocal_steps = 10\n[server]\n"
        "address = \"127.0.0.1:0\"\nfeatures = 2\nlinger_seconds = 30\nstate = \"" +
        folder_.path("server") + "\"\n";
    return parse_federation(text, "the test", {});
  }
  std::unique_ptr<FederationAgent> agent(const NetworkServer& server, int k, AgentData data) const {
    const std::string name = "agent-" + std::to_string(k);
    return std::make_unique<FederationAgent>(agent_link_to(server.address(), {.insecure_name = name}),
                                             std::move(data),
                                             FederationAgentOptions{.state = folder_.path(name)});
  }

  TemporaryFolder folder_;
};

TEST_F(EmbeddedFederation, GivesWhatOneProcessGives) {
  NetworkServer server(plan("none"), {.insecure = true});
  const OwnRows mine = rows_of(1, 30), theirs = rows_of(2, 50);
  const auto first = agent(server, 0, {.rows = mine, .test_rows = rows_of(3, 100)});
  const auto second = agent(server, 1, {.rows = theirs});
  EXPECT_EQ(first->particles().size(), 0);
  EXPECT_TRUE(first->figures().empty());
  auto one = std::async(std::launch::async, [&] { return first->run(); });
  auto other = std::async(std::launch::async, [&] { return second->run(); });
  EXPECT_EQ(server.run().rounds, 4);
  EXPECT_EQ(one.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(other.get(), AgentRunner::Ending::kRunIsOver);

  const FederationPlan federation = plan("none");
  const AlgorithmPlan& algorithm = federation.algorithm();
  const auto model = federation.make_model(2, 2);
  Federation local(*algorithm.method,
                   algorithm.settings,
                   *model,
                   {Batch{mine.x, mine.y}, Batch{theirs.x, theirs.y}},
                   {.seed = federation.seed});
  InProcessTransport transport(local.agent_pointers());
  class : public Observer {
    Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
  } nobody;
  coordinate(local.server(), RoundRobin(2), transport, nobody, {.rounds = 4});
  EXPECT_TRUE(identical(first->particles(), local.server().particles()));
  EXPECT_TRUE(identical(second->particles(), local.server().particles()));
  const OwnRows test = rows_of(3, 100);
  const Evaluation evaluation(*model, Batch{test.x, test.y});
  EXPECT_EQ(first->figures().at("accuracy"), evaluation.figures(local.server().particles()).at("accuracy"));
  EXPECT_TRUE(second->figures().empty());
}

TEST_F(EmbeddedFederation, AStoppedServerAndItsAgentsGoOnWhereTheyWere) {
  const OwnRows mine = rows_of(1, 30), theirs = rows_of(2, 50);
  Particles particles;
  for (const bool stops : {true, false}) {
    NetworkServerOptions options{.insecure = true};
    NetworkServer* running = nullptr;
    options.server.on_round = [&](const RoundRecord& record, const FederationPlan&) {
      if (stops && record.round == 2) running->stop();
    };
    NetworkServer server(plan("standardise"), std::move(options));
    running = &server;
    const auto first = agent(server, 0, {.rows = mine}), second = agent(server, 1, {.rows = theirs});
    auto one = std::async(std::launch::async, [&] { return first->run(); });
    auto other = std::async(std::launch::async, [&] { return second->run(); });
    if (stops) {
      EXPECT_THROW(server.run(), ServingStopped);
      first->stop();
      second->stop();
    } else {
      EXPECT_EQ(server.server().closed_round(), 2);
      EXPECT_EQ(server.run().rounds, 4);
    }
    EXPECT_EQ(one.get(), stops ? AgentRunner::Ending::kStopped : AgentRunner::Ending::kRunIsOver);
    other.get();
    particles = first->particles();
  }
  EXPECT_GT(particles.size(), 0);
}

TEST_F(EmbeddedFederation, RowsThatDoNotFitAreRefusedInASentence) {
  EXPECT_THROW_MESSAGE(AgentWork({}, {}), InvalidArgument, "0 sources of rows are given; exactly one");
  EXPECT_THROW_MESSAGE(
      AgentWork({.rows = rows_of(1, 3), .simulate = true}, {}), InvalidArgument, "2 sources of rows are given");
  OwnRows few_labels = rows_of(1, 30);
  few_labels.y.conservativeResize(29);
  EXPECT_THROW_MESSAGE(AgentWork({.rows = few_labels}, {}),
                       InvalidArgument,
                       "30 rows of x and 29 labels are given; there must be as many");

  NetworkServer server(plan("none"), {.insecure = true});
  OwnRows wide = rows_of(1, 30);
  wide.x = random_matrix(30, 3, 1);
  EXPECT_THROW_MESSAGE(agent(server, 0, {.rows = wide})->run(),
                       DataError,
                       "the agent's rows: has 3 columns of features; the federation's rows have 2");
  OwnRows odd = rows_of(1, 30);
  odd.y(7) = 0;
  EXPECT_THROW_MESSAGE(agent(server, 0, {.rows = odd})->run(), InvalidArgument, "label");
  EXPECT_THROW_MESSAGE(agent(server, 0, {.rows = rows_of(1, 30), .test_rows = wide})->run(),
                       DataError,
                       "the agent's test rows: has 3 columns");
}

TEST_F(EmbeddedFederation, CertificatesThatAreMissingAreRefusedBeforeAnythingIsMade) {
  EXPECT_THROW_MESSAGE(NetworkServer(plan("none")), InvalidArgument, "certificate, key, authority and revocations");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("server")));
  EXPECT_THROW_MESSAGE(
      agent_link_to("127.0.0.1:1", {.certificate = "a.crt"}), InvalidArgument, "--certificate, --key and --authority");
  EXPECT_THROW_MESSAGE(agent_link_to("127.0.0.1:1", {.certificate = "a.crt", .insecure_name = "a"}),
                       InvalidArgument,
                       "only one can be meant");
}

}  // namespace
}  // namespace fedstein
