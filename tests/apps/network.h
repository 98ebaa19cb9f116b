// SPDX-License-Identifier: Apache-2.0
// A small networked federation of real processes: a server, three agents, certificates.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <regex>
#include <thread>

#include "apps/program.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

inline std::string network_configuration(const std::string& algorithm,
                                         const std::string& more = {},
                                         const std::string& more_of_server = {}) {
  return "[experiment]\nname = \"net\"\npreset = \"paper\"\ndataset = \"feature-skew\"\npartition = \"iid\"\nagents = "
         "3\ntrials = 1\n" +
         more + "[federation]\nrounds = 6\n[[algorithm]]\ntype = \"" + algorithm +
         "\"\nlocal_steps = 4\n[server]\naddress = \"127.0.0.1:0\"\nstate = \"state\"\n"
         "certificate = \"keys/server.crt\"\nkey = \"keys/server.key\"\nauthority = \"keys/ca.crt\"\n"
         "revocations = \"ca/ca.crl\"\n" +
         more_of_server;
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

}  // namespace fedstein
