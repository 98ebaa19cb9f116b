// SPDX-License-Identifier: Apache-2.0
// What others on the machine may read of a federation: no key, and nothing that the server keeps.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "apps/network.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PrivateFiles : public Network {
 protected:
  // Every file below the folder that somebody but its owner may touch.
  std::vector<std::string> shared_below(const std::string& name) const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path(name))) {
      const auto others = fs::perms::group_all | fs::perms::others_all;
      if (entry.is_regular_file() && (entry.status().permissions() & others) != fs::perms::none) {
        out.push_back(entry.path().filename().string());
      }
    }
    return out;
  }
  void set_mode(const std::string& name, mode_t mode) const { ASSERT_EQ(chmod(folder_.path(name).c_str(), mode), 0); }
};

TEST_F(PrivateFiles, AServersStateIsItsOwners) {
  certify();
  folder_.write("net.toml", network_configuration("dsvgd"));
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  EXPECT_THAT(shared_below("state"), testing::IsEmpty());
  EXPECT_TRUE(fs::exists(folder_.path("state/store.sqlite")));
  EXPECT_TRUE(fs::exists(folder_.path("state/posteriors/dsvgd-1.fedstein")));
  for (int k = 0; k < 3; ++k) EXPECT_THAT(shared_below("state-agent-" + std::to_string(k)), testing::IsEmpty());
}

// Made by an older server, and opened again: the side files of the databases too.
TEST_F(PrivateFiles, AServerThatGoesOnClosesWhatWasOpen) {
  certify();
  folder_.write("net.toml", network_configuration("dsvgd"));
  start_server()->signal(SIGKILL);
  for (const auto& entry : fs::directory_iterator(folder_.path("state"))) chmod(entry.path().c_str(), 0644);
  fs::remove(folder_.path("server.out"));  // where start_server() sees that the new one is there
  const auto server = start_server();
  EXPECT_THAT(shared_below("state"), testing::IsEmpty());
  EXPECT_TRUE(fs::exists(folder_.path("state/store.sqlite-wal")));
}

TEST_F(PrivateFiles, KeysThatOthersMayReadAreRefused) {
  certify();
  // A second mistake in each command, so that a program that overlooks the first ends as well.
  folder_.write("net.toml", std::regex_replace(network_configuration("dsvgd"), std::regex("ca/ca.crl"), "none.crl"));
  const auto expect_refused = [&](const std::vector<std::string>& words, const std::string& key) {
    const Finished ended = fedstein_in(folder_, words);
    EXPECT_EQ(ended.code, words.front() == "serve" ? 78 : 65) << ended.errors;  // serve tells the second one too
    EXPECT_THAT(ended.errors, HasSubstr(" " + key + ": the private key has mode 06"));
    EXPECT_THAT(ended.errors, HasSubstr("`chmod 600 " + key + "`"));
  };
  set_mode("keys/server.key", 0644);
  expect_refused({"serve", "net.toml"}, "keys/server.key");
  set_mode("keys/agent-0.key", 0640);
  expect_refused({"agent",
                  "127.0.0.1:1",
                  "--simulate",
                  "--state",
                  "s",
                  "--certificate",
                  "keys/agent-0.crt",
                  "--key",
                  "keys/agent-0.key",
                  "--authority",
                  "keys/agent-1.crt"},
                 "keys/agent-0.key");
  set_mode("ca/ca.key", 0604);
  expect_refused({"ca", "issue", "other"}, "ca/ca.key");
  expect_refused({"ca", "revoke", "agent-1"}, "ca/ca.key");
}

TEST_F(PrivateFiles, TwoAgentsOfOneNameAreRefused) {
  folder_.write("net.toml", network_configuration("dsvgd", {}, "agents = [\"a\", \"b\", \"a\"]\n"));
  const Finished ended = fedstein_in(folder_, {"serve", "net.toml"});
  EXPECT_EQ(ended.code, 78);
  EXPECT_THAT(ended.errors, HasSubstr("server.agents names 'a' twice, at positions 1 and 3"));
}

}  // namespace
}  // namespace fedstein
