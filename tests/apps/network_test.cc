// SPDX-License-Identifier: Apache-2.0
// serve, agent, status and ca as a user starts them: processes, certificates, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "apps/network.h"
#include "fedstein/experiment/results.h"
#include "fedstein/numeric/rng.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/store/run_store.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

class NetworkParity : public Network, public testing::WithParamInterface<const char*> {};

TEST_P(NetworkParity, ServeAndAgentsGiveWhatRunGives) {
  folder_.write("run.toml", std::regex_replace(network_configuration(GetParam()), std::regex("\\[server\\][^]*"), ""));
  folder_.write("net.toml", network_configuration(GetParam()));
  certify();
  ASSERT_EQ(fedstein_in(folder_, {"run", "run.toml", "--folder", "runs"}).code, 0);
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  EXPECT_TRUE(particles_in("state/store.sqlite") == particles_in("runs/store.sqlite"));
  const std::string posterior = std::string("/posteriors/") + GetParam() + "-1.fedstein";
  Posterior served = load_posterior(folder_.path("state" + posterior));
  Posterior run = load_posterior(folder_.path("runs" + posterior));
  // A server has seen no rows.
  EXPECT_FALSE(served.ranges.are_known());
  EXPECT_EQ(served.covariance.size(), 0);
  EXPECT_TRUE(run.ranges.are_known());
  run.ranges = {};
  run.covariance = {};
  EXPECT_EQ(to_bytes(served), to_bytes(run));
  const RunStore store(folder_.path("state/store.sqlite"), RunStore::Mode::kRead);
  EXPECT_EQ(store.rounds(store.jobs(store.runs().back().id).front().id).size(), 6U);
}
INSTANTIATE_TEST_SUITE_P(Methods, NetworkParity, testing::Values("dsvgd", "p-dsvgd", "fedavg"), [](const auto& which) {
  return std::regex_replace(std::string(which.param), std::regex("-"), "_");
});

TEST_F(Network, OwnFilesAreScaledAlikeWithoutShowingARow) {
  Rng rng({.seed = 5});
  std::string whole;
  for (int k = 0; k < 3; ++k) {
    std::string rows;
    for (int row = 0; row < 20 + k; ++row) {
      const double a = 100 + 10 * rng.normal() + k;
      const double b = rng.normal();
      rows += std::to_string(a) + "," + std::to_string(b) + "," + (a - 100 > 3 * b ? "1" : "-1") + "\n";
    }
    folder_.write("rows-" + std::to_string(k) + ".csv", rows);
    whole += rows;
  }
  folder_.write("test.csv", whole);
  folder_.write("net.toml",
                std::regex_replace(network_configuration("dsvgd", "scaling = \"standardise\"\n"),
                                   std::regex("\"feature-skew\""),
                                   "\"rows.csv\"") +
                    "features = 2\n");
  certify();
  run_to_the_end([](int k) {
    return std::vector<std::string>{"--data", "rows-" + std::to_string(k) + ".csv", "--test-data", "test.csv"};
  });
  // Standardised over all agents the task is easy; on raw columns around 100 it is not.
  const RunStore store(folder_.path("state/store.sqlite"), RunStore::Mode::kRead);
  const auto reliability = store.reliability(store.jobs(store.runs().back().id).front().id);
  ASSERT_EQ(reliability.size(), 1U);
  std::int64_t rows = 0;
  for (const ReliabilityBin& bin : reliability.front().bins) rows += bin.count;
  EXPECT_EQ(rows, 3 * 63);
  // The server has seen no row, but its posterior knows how they were scaled.
  const std::string model = "state/posteriors/dsvgd-1.fedstein";
  EXPECT_THAT(read_text(folder_.path("server.out")), HasSubstr("posterior: " + model + "\n"));
  const Finished judged = fedstein_in(folder_, {"evaluate", model, "test.csv", "--json"});
  EXPECT_EQ(judged.code, 0) << judged.errors;
  const auto json = nlohmann::json::parse(judged.output);
  EXPECT_EQ(json["rows"], 63);
  std::int64_t right = 0;
  for (const ReliabilityBin& bin : reliability.front().bins) right += bin.correct;
  EXPECT_NEAR(json["figures"]["accuracy"].get<double>(), static_cast<double>(right) / (3 * 63), 1e-9);
}

// Own files for three agents, unscaled, and a run that does not end by itself.
std::string endless_own_files(TemporaryFolder& folder) {
  Rng rng({.seed = 5});
  for (int k = 0; k < 4; ++k) {
    std::string rows;
    for (int row = 0; row < 20; ++row) {
      const double a = rng.normal();
      const double b = rng.normal();
      rows += std::to_string(a) + "," + std::to_string(b) + "," + (a > b ? "1" : "-1") + "\n";
    }
    folder.write("rows-" + std::to_string(k) + ".csv", rows);
  }
  std::string text = std::regex_replace(
      network_configuration("dsvgd", "scaling = \"none\"\n"), std::regex("\"feature-skew\""), "\"rows.csv\"");
  return std::regex_replace(text, std::regex("rounds = 6"), "rounds = 1000000") + "features = 2\n";
}

TEST_F(Network, AnAgentThatComesBackWithOtherRowsNoticesItself) {
  folder_.write("net.toml", endless_own_files(folder_));
  certify();
  const auto server = start_server();
  std::vector<std::unique_ptr<Process>> agents;
  for (int k = 0; k < 3; ++k) agents.push_back(start_agent(k, {"--data", "rows-" + std::to_string(k) + ".csv"}));
  while (read_text(folder_.path("agent-1.out")).find("our update counts") == std::string::npos) {
    ASSERT_TRUE(server->running()) << read_text(folder_.path("server.err"));
  }
  agents[1]->signal(SIGKILL);
  agents[1]->wait();
  // As many rows and columns, and under this scaling no sums: nobody else could tell.
  const auto mistaken = start_agent(1, {"--data", "rows-3.csv"});
  EXPECT_EQ(mistaken->wait(), 77);
  EXPECT_THAT(read_text(folder_.path("agent-1.err")),
              HasSubstr("the rows are others than those that this agent began with"));
  server->signal(SIGTERM);
  EXPECT_EQ(server->wait(), 0);
}

TEST_F(Network, APathInAServersConfigurationNamesNothingOnAnAgentsMachine) {
  folder_.write("net.toml", endless_own_files(folder_));
  folder_.write("rows.csv", read_text(folder_.path("rows-0.csv")));
  certify();
  const auto server = start_server();
  const auto agent = start_agent(0, {"--simulate"});
  EXPECT_EQ(agent->wait(), 64);
  EXPECT_THAT(read_text(folder_.path("agent-0.err")), HasSubstr("give this agent's own rows with --data FILE"));
}

TEST_F(Network, StatusTellsOfTheServerAndSigtermIsResumable) {
  folder_.write("net.toml", network_configuration("dsvgd") + "metrics_port = 17411\n");
  certify();
  {
    const auto server = start_server();
    const Finished status = fedstein_in(folder_, {"status", "--port", "17411", "--json"});
    ASSERT_EQ(status.code, 0) << status.errors;
    const auto report = nlohmann::json::parse(status.output);
    EXPECT_EQ(report["state"], "enrolling");
    EXPECT_EQ(report["agents"].size(), 3U);
    EXPECT_THAT(fedstein_in(folder_, {"status", "--port", "17411"}).output, HasSubstr("agent-2: not enrolled"));
    const auto agent = start_agent(0, {"--simulate"});
    while (!nlohmann::json::parse(
        fedstein_in(folder_, {"status", "--port", "17411", "--json"}).output)["agents"][0]["enrolled"]) {
    }
    agent->signal(SIGTERM);
    EXPECT_EQ(agent->wait(), 0);
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
    EXPECT_THAT(read_text(folder_.path("server.out")), HasSubstr("goes on where it is"));
  }
  std::filesystem::remove(folder_.path("server.out"));
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
}

TEST_F(Network, MistakesAreToldAtOnceBeforeAnythingIsServed) {
  folder_.write(
      "net.toml",
      "[experiment]\nname = \"net\"\ndataset = \"feature-skew\"\nagents = 3\nroundz = 1\n[[algorithm]]\ntype = "
      "\"dsvgd\"\n[server]\nquorum = 3\nadress = \"x\"\n");
  const Finished wrong = fedstein_in(folder_, {"serve", "net.toml"});
  EXPECT_EQ(wrong.code, 78);
  EXPECT_THAT(wrong.errors, HasSubstr("net.toml:9: server.quorum is 3"));
  EXPECT_THAT(wrong.errors, HasSubstr("net.toml:10: server.adress is no key of this table; did you mean 'address'?"));
  EXPECT_THAT(wrong.errors, HasSubstr("net.toml:5: experiment.roundz"));
  folder_.write("net.toml", network_configuration("svgd"));
  EXPECT_THAT(fedstein_in(folder_, {"serve", "net.toml"}).errors, HasSubstr("not federated"));
  folder_.write("net.toml", network_configuration("dsvgd"));
  EXPECT_THAT(fedstein_in(folder_, {"serve", "net.toml", "--insecure", "--address", "0.0.0.0:0"}).errors,
              HasSubstr("only loopback"));
  EXPECT_EQ(fedstein_in(folder_, {"serve", "net.toml"}).code, 66);  // no certificates yet
}

TEST_F(Network, ARevokedAgentIsTurnedAway) {
  folder_.write("net.toml", network_configuration("dsvgd"));
  certify();
  const auto server = start_server();
  ASSERT_EQ(fedstein_in(folder_, {"ca", "revoke", "agent-1"}).code, 0);
  EXPECT_THAT(fedstein_in(folder_, {"ca", "list"}).output, HasSubstr("agent-1                 revoked"));
  const auto agent = start_agent(1, {"--simulate"});
  EXPECT_EQ(agent->wait(), 77);
  EXPECT_THAT(read_text(folder_.path("agent-1.err")), HasSubstr("is revoked"));
}

}  // namespace
}  // namespace fedstein
