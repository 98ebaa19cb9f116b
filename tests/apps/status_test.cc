// SPDX-License-Identifier: Apache-2.0
// `fedstein status` finds a server by its state folder, and says what to do where there is none.
#include <gmock/gmock.h>
#include <httplib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/network.h"
#include "support/free_port.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

TEST_F(Network, StatusFindsAServerByItsStateFolder) {
  folder_.write("net.toml", network_configuration("dsvgd"));
  certify();
  const auto server = start_server();
  while (!std::filesystem::exists(folder_.path("state/live.json"))) ASSERT_TRUE(server->running());
  EXPECT_EQ(std::filesystem::status(folder_.path("state/live.json")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const Finished told = fedstein_in(folder_, {"status", "state"});
  EXPECT_EQ(told.code, 0) << told.errors;
  EXPECT_THAT(told.output, HasSubstr("enrolling, round 0 of 6"));
  EXPECT_THAT(told.output, HasSubstr("numbers exchanged: 0 B to the server"));
  const auto json = nlohmann::json::parse(fedstein_in(folder_, {"status", "state", "--json"}).output);
  EXPECT_EQ(json["kind"], "federation");
  EXPECT_EQ(json["agents"][0]["away_since"], "");
  EXPECT_TRUE(json["seconds_left"].is_null());
  server->signal(SIGTERM);
  server->wait();
  // The place is still written down; nobody is there.
  const Finished silent = fedstein_in(folder_, {"status", "state"});
  EXPECT_EQ(silent.code, 69);
  EXPECT_THAT(silent.errors, HasSubstr("nothing answers at port"));
  const Finished watched = fedstein_in(folder_, {"status", "state", "--watch"});
  EXPECT_EQ(watched.code, 69);
}

// `fedstein live` needs nothing of the server but its folder: what it shows goes on being there.
TEST_F(Network, LiveShowsAFederationWhetherItsServerRunsOrNot) {
  folder_.write("net.toml", network_configuration("dsvgd"));
  certify();
  const auto server = start_server();
  while (!std::filesystem::exists(folder_.path("state/live.json"))) ASSERT_TRUE(server->running());
  const Finished own = fedstein_in(folder_, {"live", "state"});
  EXPECT_EQ(own.code, 0) << own.errors;
  EXPECT_THAT(own.output, HasSubstr("(of the process that runs it)"));
  server->signal(SIGTERM);
  server->wait();
  const int port = free_port();
  Process live(program({"live", "state", "--port", std::to_string(port)}), folder_.path("."), "live");
  httplib::Client client("127.0.0.1", port);
  httplib::Result status = client.Get("/status");
  while (!status) {
    ASSERT_TRUE(live.running());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    status = client.Get("/status");
  }
  EXPECT_EQ(nlohmann::json::parse(status->body)["state"], "stopped");
  EXPECT_THAT(client.Get("/")->body, HasSubstr("<!doctype html>"));
  live.signal(SIGINT);
  EXPECT_EQ(live.wait(), 0);
  const Finished nowhere = fedstein_in(folder_, {"live", "nothing"});
  EXPECT_EQ(nowhere.code, 66);
  EXPECT_THAT(nowhere.errors, HasSubstr("there is no run 'nothing'"));
}

TEST_F(Network, StatusSaysWhatToDoWhereThereIsNoServer) {
  const Finished nowhere = fedstein_in(folder_, {"status"});
  EXPECT_EQ(nowhere.code, 66);
  EXPECT_THAT(nowhere.errors, HasSubstr("name the server's state folder"));
  const Finished other = fedstein_in(folder_, {"status", "nothing"});
  EXPECT_EQ(other.code, 66);
  EXPECT_THAT(other.errors, HasSubstr("nothing is no state folder of a server that has been started"));
  std::filesystem::create_directory(folder_.path("odd"));
  for (const char* text : {"", "{", "[1]", "{\"port\":\"x\"}", "{\"port\":0}", "{\"port\":99999999999999999999}"}) {
    folder_.write("odd/live.json", text);
    EXPECT_EQ(fedstein_in(folder_, {"status", "odd"}).code, 66) << text;
  }
}

TEST_F(Network, MistakesAboutViewersAreToldWithTheOthers) {
  folder_.write("net.toml",
                network_configuration("dsvgd") + "live_address = \"nowhere\"\nlive_token_file = \"absent\"\n");
  certify();
  const Finished wrong = fedstein_in(folder_, {"serve", "net.toml"});
  EXPECT_NE(wrong.code, 0);
  EXPECT_THAT(wrong.errors, HasSubstr("server.live_token_file names absent: cannot be read"));
  EXPECT_THAT(wrong.errors, HasSubstr("server.live_address is 'nowhere'; allowed: HOST:PORT"));
  folder_.write("net.toml", network_configuration("dsvgd") + "live_address = \"127.0.0.1:7999\"\n");
  EXPECT_THAT(fedstein_in(folder_, {"serve", "net.toml"}).errors,
              HasSubstr("server.live_address needs live_token_file"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("state")));
}

}  // namespace
}  // namespace fedstein
