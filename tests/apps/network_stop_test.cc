// SPDX-License-Identifier: Apache-2.0
// A server that is stopped again and again while its agents upload: it ends with 0 every time, and no round is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <regex>

#include "apps/network.h"
#include "support/free_port.h"

namespace fedstein {
namespace {

#ifndef FEDSTEIN_STOPS
#define FEDSTEIN_STOPS 8
#endif

TEST_F(Network, StoppedUnderLoadItEndsCleanlyEveryTime) {
  const int port = free_port();
  std::string text = network_configuration("fedavg");
  text = std::regex_replace(text, std::regex("rounds = 6"), "rounds = 1000000");
  text = std::regex_replace(text, std::regex("127.0.0.1:0"), "127.0.0.1:" + std::to_string(port));
  text = std::regex_replace(text, std::regex("type = \"fedavg\""), "type = \"fedavg\"\nscheduler = \"all\"");
  folder_.write("net.toml", text);
  certify();
  address_ = "127.0.0.1:" + std::to_string(port);
  std::vector<std::unique_ptr<Process>> agents;
  std::int64_t last = 0;
  for (int stop = 0; stop < FEDSTEIN_STOPS; ++stop) {
    std::filesystem::remove(folder_.path("server.out"));
    const auto server = start_server();
    for (int k = 0; agents.size() < 3; ++k) agents.push_back(start_agent(k, {"--simulate", "--quiet"}));
    // Into the middle of the rounds: each stop after another number of them.
    const std::regex line("round ([0-9]+) of 1000000: 3 of 3 updates");
    std::int64_t first = 0;
    for (std::int64_t round = 0; round < first + stop % 5 || first == 0;) {
      ASSERT_TRUE(server->running()) << read_text(folder_.path("server.err"));
      const std::string out = read_text(folder_.path("server.out"));
      for (std::sregex_iterator at(out.begin(), out.end(), line), end; at != end; ++at) round = std::stoll((*at)[1]);
      if (first == 0) first = round;
    }
    server->signal(stop % 2 == 0 ? SIGTERM : SIGINT);
    EXPECT_EQ(server->wait(), 0) << "stop " << stop << ": " << read_text(folder_.path("server.err"));
    const RunStore store(folder_.path("state/store.sqlite"), RunStore::Mode::kRead);
    const auto rounds = store.rounds(store.jobs(store.runs().back().id).front().id);
    ASSERT_GT(static_cast<std::int64_t>(rounds.size()), last);
    last = static_cast<std::int64_t>(rounds.size());
    EXPECT_EQ(rounds.back().round, last) << "a round is missing from the store";
  }
  for (const auto& agent : agents) {
    EXPECT_TRUE(agent->running());
    agent->signal(SIGTERM);
    EXPECT_EQ(agent->wait(), 0);
  }
}

// kill -9 leaves no time for anything; the next start brings the store up to the journal.
TEST_F(Network, RoundsThatAKillLeftInTheJournalAloneAreInTheStoreAfterTheNextStart) {
  folder_.write("net.toml", network_configuration("dsvgd"));
  certify();
  for (int kill = 0; kill < 3; ++kill) {
    std::filesystem::remove(folder_.path("server.out"));
    const auto server = start_server();
    std::vector<std::unique_ptr<Process>> agents;
    for (int k = 0; k < 3; ++k) agents.push_back(start_agent(k, {"--simulate"}));
    const std::string line = "round " + std::to_string(kill + 1) + " of 6";
    while (server->running() && read_text(folder_.path("server.out")).find(line) == std::string::npos) {
    }
    server->signal(SIGKILL);
    server->wait();
    for (const auto& agent : agents) agent->signal(SIGTERM);
    for (const auto& agent : agents) agent->wait();
  }
  std::filesystem::remove(folder_.path("server.out"));
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  const RunStore store(folder_.path("state/store.sqlite"), RunStore::Mode::kRead);
  const auto rounds = store.rounds(store.jobs(store.runs().back().id).front().id);
  ASSERT_EQ(rounds.size(), 6U);
  for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(rounds[i].round, static_cast<Index>(i + 1));
}

}  // namespace
}  // namespace fedstein
