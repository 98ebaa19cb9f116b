// SPDX-License-Identifier: Apache-2.0
// A networked federation has the figures of `fedstein run` in every round, though no row of anybody is seen by the
// server: the agents' sums give them, also across kills of the server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "apps/network.h"
#include "support/free_port.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

std::vector<RoundRecord> rounds_in(const std::string& path) {
  const RunStore store(path, RunStore::Mode::kRead);
  return store.rounds(store.jobs(store.runs().back().id).front().id);
}

// Where all agents take part every belief is evaluated by all of them, on rows that together are the test set.
std::string with_all_agents(const std::string& algorithm, const std::string& more = {}) {
  return std::regex_replace(
      network_configuration(algorithm, {}, more), std::regex("local_steps"), "scheduler = \"all\"\nlocal_steps");
}

std::string without_server(const std::string& document) {
  return std::regex_replace(document, std::regex("\\[server\\][^]*"), "");
}

// Figures of both, in every round. What looks at all rows at once, and the labels' frequencies, do not travel.
void expect_alike(const std::vector<RoundRecord>& served, const std::vector<RoundRecord>& run) {
  ASSERT_EQ(served.size(), run.size());
  for (std::size_t i = 0; i < run.size(); ++i) {
    for (const char* name : {"accuracy", "log_likelihood", "ece", "mce", "brier", "confidence", "rows"}) {
      ASSERT_TRUE(served[i].figures.contains(name)) << name << " of round " << i + 1;
      EXPECT_NEAR(served[i].figures.at(name), run[i].figures.at(name), 1e-5) << name << " of round " << i + 1;
    }
    EXPECT_EQ(served[i].figures.at("agents"), 3);
    std::map<std::string, double> others = run[i].figures;
    others["agents"] = 3;
    for (const auto& [name, value] : served[i].figures) EXPECT_TRUE(others.contains(name)) << name;
  }
}

class NetworkFigures : public Network, public testing::WithParamInterface<const char*> {};

TEST_P(NetworkFigures, AreThoseOfRunInEveryRound) {
  folder_.write("net.toml", with_all_agents(GetParam()));
  folder_.write("run.toml", without_server(with_all_agents(GetParam())));
  certify();
  ASSERT_EQ(fedstein_in(folder_, {"run", "run.toml", "--folder", "runs"}).code, 0);
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  expect_alike(rounds_in(folder_.path("state/store.sqlite")), rounds_in(folder_.path("runs/store.sqlite")));
  const auto compared = [&](const char* folder) {
    return nlohmann::json::parse(fedstein_in(folder_, {"compare", folder, "--json"}).output);
  };
  const auto row = [](const nlohmann::json& all) { return all.is_array() ? all.at(0) : all.at("rows").at(0); };
  EXPECT_EQ(row(compared("state")).at("rounds_to_target"), row(compared("runs")).at("rounds_to_target"));
  const std::string out = read_text(folder_.path("server.out"));
  EXPECT_TRUE(std::regex_search(
      out,
      std::regex("round [3-6] of 6: 3 of 3 updates [^\n]*; after round [0-9]: accuracy 0.[0-9]+, log-likelihood ")))
      << out;
  EXPECT_THAT(out, HasSubstr("\nafter round 6: accuracy "));
}
// Tasks of the first begin with other particles than those to predict with, of the second with no particles at all.
INSTANTIATE_TEST_SUITE_P(Methods, NetworkFigures, testing::Values("c-dsvgd", "pvi", "fedavg"), [](const auto& which) {
  return std::regex_replace(std::string(which.param), std::regex("-"), "_");
});

// With agents in turn every belief but the last is evaluated by one of them, and the record says so.
TEST_F(Network, AFigureSaysOfHowManyAgentsAndRowsItIs) {
  const int port = free_port();
  folder_.write("net.toml",
                network_configuration("dsvgd", {}, "metrics_port = " + std::to_string(port) + "\n") +
                    "[evaluation]\nevery = 2\n");
  certify();
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  const std::vector<RoundRecord> rounds = rounds_in(folder_.path("state/store.sqlite"));
  ASSERT_EQ(rounds.size(), 6U);
  for (const RoundRecord& record : rounds) {
    EXPECT_EQ(record.figures.contains("accuracy"), record.round % 2 == 0) << record.round;
    if (record.round % 2 == 1) continue;
    EXPECT_EQ(record.figures.at("agents"), record.round == 6 ? 3 : 1);
  }
  EXPECT_GT(rounds[5].figures.at("rows"), 2 * rounds[3].figures.at("rows"));
  EXPECT_THAT(fedstein_in(folder_, {"compare", "state"}).output, testing::Not(HasSubstr("agents")));
}

// kill -9: what the server had been told and not yet written is told again.
TEST_F(Network, AServerThatIsKilledLosesNoFigureOfAnyRound) {
  const auto long_one = [](const std::string& document) {
    return std::regex_replace(document, std::regex("rounds = 6"), "rounds = 60");
  };
  const int port = free_port();
  std::string text = long_one(with_all_agents("c-dsvgd"));
  folder_.write("run.toml", without_server(text));
  folder_.write("net.toml", std::regex_replace(text, std::regex("127.0.0.1:0"), "127.0.0.1:" + std::to_string(port)));
  certify();
  ASSERT_EQ(fedstein_in(folder_, {"run", "run.toml", "--folder", "runs"}).code, 0);
  std::vector<std::unique_ptr<Process>> agents;
  for (const int stop : {7, 23, 41}) {
    std::filesystem::remove(folder_.path("server.out"));
    const auto server = start_server();
    for (int k = 0; agents.size() < 3; ++k) agents.push_back(start_agent(k, {"--simulate", "--quiet"}));
    const std::string line = "round " + std::to_string(stop) + " of 60";
    while (read_text(folder_.path("server.out")).find(line) == std::string::npos) {
      ASSERT_TRUE(server->running()) << read_text(folder_.path("server.err"));
    }
    server->signal(SIGKILL);
    server->wait();
  }
  std::filesystem::remove(folder_.path("server.out"));
  const auto server = start_server();
  for (const auto& agent : agents) EXPECT_EQ(agent->wait(), 0);
  EXPECT_EQ(server->wait(), 0) << read_text(folder_.path("server.err"));
  expect_alike(rounds_in(folder_.path("state/store.sqlite")), rounds_in(folder_.path("runs/store.sqlite")));
}

}  // namespace
}  // namespace fedstein
