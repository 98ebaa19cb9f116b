// SPDX-License-Identifier: Apache-2.0
// What others can do: nodes without a seat, and users of the server's machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "relay/relay_world.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

// The engine's process has its own umask, and the state folder may be the user's.
TEST(RelayStrangers, OtherUsersCanReadNothingOfAServerInAFolderThatIsOpenToThem) {
  const mode_t before = umask(0022);
  RelayWorld world({.agents = 2, .rounds = 2});
  fs::create_directory(world.server_state());
  fs::permissions(world.server_state(), fs::perms{0755});
  world.run();
  world.stop_server();
  umask(before);
  int files = 0;
  const auto others = fs::perms::group_all | fs::perms::others_all;
  for (const auto& entry : fs::recursive_directory_iterator(world.server_state())) {
    ++files;
    EXPECT_EQ(entry.status().permissions() & others, fs::perms::none) << entry.path();
  }
  EXPECT_GE(files, 4) << "journal, store, posteriors and a posterior";
  EXPECT_EQ(fs::status(world.server_state()).permissions(), fs::perms{0755}) << "the folder is the user's";
}

// A name is no seat: what a node says that has none is told once an answer, as its own words.
TEST(RelayStrangers, ANodeWithoutASeatSpeaksInNobodysName) {
  RelayWorld world({.agents = 2, .rounds = 1});
  world.tamper = [&](const RelayDispatch& dispatch, Parcel answer) {
    if (dispatch.node != "node-1") return answer;
    RelayAnswer said = answer_from(answer, 1);
    said.arrival.reset();
    said.failures.assign(16, {0, 1, Failure::Kind::kBroken, "our disk burnt"});
    return parcel_of(said);
  };
  ASSERT_TRUE(world.crank([&] { return world.was_told("our disk burnt"); })) << world.all_told();
  const std::string told = world.all_told();
  EXPECT_THAT(told, testing::HasSubstr("node node-1, which calls itself agent-1: it cannot take part: our disk burnt"));
  EXPECT_EQ(told.find("our disk burnt"), told.rfind("our disk burnt")) << told;
  EXPECT_THAT(told, testing::Not(testing::HasSubstr("failure agent-1"))) << told;
}

}  // namespace
}  // namespace fedstein
