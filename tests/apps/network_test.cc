// SPDX-License-Identifier: Apache-2.0
// serve, agent, status and ca as a user starts them: processes, certificates, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "apps/program.h"
#include "fedstein/experiment/results.h"
#include "fedstein/numeric/rng.h"
#include "fedstein/store/run_store.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

std::string configuration(const std::string& algorithm, const std::string& more = {}) {
  return "[experiment]\nname = \"net\"\ndataset = \"feature-skew\"\npartition = \"iid\"\nagents = 3\ntrials = 1\n" +
         more + "[federation]\nrounds = 6\n[[algorithm]]\ntype = \"" + algorithm +
         "\"\nlocal_steps = 4\n[server]\naddress = \"127.0.0.1:0\"\nstate = \"state\"\n"
         "certificate = \"keys/server.crt\"\nkey = \"keys/server.key\"\nauthority = \"keys/ca.crt\"\n"
         "revocations = \"ca/ca.crl\"\n";
}

// A server with its agents; everything in one folder.
class Network : public testing::Test {
 protected:
  void certify() {
    ASSERT_EQ(fedstein_in(folder_, {"ca", "init"}).code, 0);
    ASSERT_EQ(fedstein_in(folder_, {"ca", "issue", "server", "--server", "--host", "127.0.0.1", "--out", "keys"}).code,
              0);
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(fedstein_in(folder_, {"ca", "issue", "agent-" + std::to_string(k), "--out", "keys"}).code, 0);
    }
  }
  std::unique_ptr<Process> start_server() {
    auto server = std::make_unique<Process>(program({"serve", "net.toml"}), folder_.path("."), "server");
    // Its first line says where it serves.
    const std::regex line("serving .* at 127.0.0.1:([0-9]+),");
    for (std::smatch found; server->running(); std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      const std::string text = read_text(folder_.path("server.out"));
      if (!std::regex_search(text, found, line)) continue;
      address_ = "127.0.0.1:" + found[1].str();
      return server;
    }
    ADD_FAILURE() << read_text(folder_.path("server.err"));
    return server;
  }
  std::unique_ptr<Process> start_agent(int k, std::vector<std::string> more) const {
    const std::string name = "agent-" + std::to_string(k);
    std::vector<std::string> words{"agent",
                                   address_,
                                   "--state",
                                   "state-" + name,
                                   "--certificate",
                                   "keys/" + name + ".crt",
                                   "--key",
                                   "keys/" + name + ".key",
                                   "--authority",
                                   "keys/ca.crt"};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<Process>(program(words), folder_.path("."), name);
  }
  void run_to_the_end(const std::function<std::vector<std::string>(int)>& data_of) {
    const auto server = start_server();
    std::vector<std::unique_ptr<Process>> agents;
    for (int k = 0; k < 3; ++k) agents.push_back(start_agent(k, data_of(k)));
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(agents[static_cast<std::size_t>(k)]->wait(), 0)
          << read_text(folder_.path("agent-" + std::to_string(k) + ".err"));
    }
    EXPECT_EQ(server->wait(), 0) << read_text(folder_.path("server.err"));
  }
  Particles particles_in(const std::string& store) const {
    const RunStore runs(folder_.path(store), RunStore::Mode::kRead);
    return runs.particles(runs.jobs(runs.runs().back().id).front().id, 6);
  }

  TemporaryFolder folder_;
  std::string address_;
};

class NetworkParity : public Network, public testing::WithParamInterface<const char*> {};

TEST_P(NetworkParity, ServeAndAgentsGiveWhatRunGives) {
  folder_.write("run.toml", std::regex_replace(configuration(GetParam()), std::regex("\\[server\\][^]*"), ""));
  folder_.write("net.toml", configuration(GetParam()));
  certify();
  ASSERT_EQ(fedstein_in(folder_, {"run", "run.toml", "--folder", "runs"}).code, 0);
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  const std::string found =
      std::filesystem::exists(folder_.path("runs/run.sqlite")) ? "runs/run.sqlite" : "runs/store.sqlite";
  EXPECT_TRUE(particles_in("state/store.sqlite") == particles_in("runs/store.sqlite"));
  const std::string posterior = std::string("/posteriors/") + GetParam() + "-1.fedstein";
  EXPECT_FALSE(read_text(folder_.path("runs" + posterior)).empty());
  EXPECT_EQ(read_text(folder_.path("state" + posterior)), read_text(folder_.path("runs" + posterior)));
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
  folder_.write(
      "net.toml",
      std::regex_replace(
          configuration("dsvgd", "scaling = \"standardise\"\n"), std::regex("\"feature-skew\""), "\"rows.csv\"") +
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
  for (const StoredBin& bin : reliability.front().bins) rows += bin.count;
  EXPECT_EQ(rows, 3 * 63);
  // The server has seen no row, but its posterior knows how they were scaled.
  const std::string model = "state/posteriors/dsvgd-1.fedstein";
  EXPECT_THAT(read_text(folder_.path("server.out")), HasSubstr("posterior: " + model + "\n"));
  const Finished judged = fedstein_in(folder_, {"evaluate", model, "test.csv", "--json"});
  EXPECT_EQ(judged.code, 0) << judged.errors;
  const auto json = nlohmann::json::parse(judged.output);
  EXPECT_EQ(json["rows"], 63);
  std::int64_t right = 0;
  for (const StoredBin& bin : reliability.front().bins) right += bin.correct;
  EXPECT_NEAR(json["figures"]["accuracy"].get<double>(), static_cast<double>(right) / (3 * 63), 1e-9);
}

TEST_F(Network, StatusTellsOfTheServerAndSigtermIsResumable) {
  folder_.write("net.toml", configuration("dsvgd") + "metrics_port = 17411\n");
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
  folder_.write("net.toml", configuration("svgd"));
  EXPECT_THAT(fedstein_in(folder_, {"serve", "net.toml"}).errors, HasSubstr("not federated"));
  folder_.write("net.toml", configuration("dsvgd"));
  EXPECT_THAT(fedstein_in(folder_, {"serve", "net.toml", "--insecure", "--address", "0.0.0.0:0"}).errors,
              HasSubstr("only loopback"));
  EXPECT_EQ(fedstein_in(folder_, {"serve", "net.toml"}).code, 66);  // no certificates yet
}

TEST_F(Network, ARevokedAgentIsTurnedAway) {
  folder_.write("net.toml", configuration("dsvgd"));
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
