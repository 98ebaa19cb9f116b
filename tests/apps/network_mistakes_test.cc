// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a networked federation and stays wrong is told in one sentence; what may get better is tried
// again.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "apps/network.h"
#include "support/free_port.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class NetworkMistakes : public Network {
 protected:
  void SetUp() override { folder_.write("net.toml", network_configuration("dsvgd", {}, more_)); }

  // An agent of this name's certificate and that name's key, at a place; with --simulate unless told otherwise.
  Finished agent(const std::string& place,
                 const std::string& certificate,
                 const std::string& key,
                 const std::string& authority,
                 const std::vector<std::string>& data = {"--simulate"}) const {
    std::vector<std::string> words{
        "agent", place, "--state", "mistaken", "--certificate", certificate, "--key", key, "--authority", authority};
    words.insert(words.end(), data.begin(), data.end());
    return fedstein_in(folder_, words);
  }
  static void expect_one_sentence(const Finished& ended, int code, const std::string& part) {
    EXPECT_EQ(ended.code, code) << ended.errors;
    EXPECT_THAT(ended.errors, StartsWith("fedstein: "));
    EXPECT_THAT(ended.errors, HasSubstr(part));
    EXPECT_EQ(std::count(ended.errors.begin(), ended.errors.end(), '\n'), 1) << ended.errors;
  }
  void wait_for_text(const std::string& file, const std::string& part) const {
    while (read_text(folder_.path(file)).find(part) == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  nlohmann::json status() const {
    return nlohmann::json::parse(fedstein_in(folder_, {"status", "--json", "--port", std::to_string(metrics_)}).output);
  }

  int metrics_ = free_port();
  std::string more_ = "lease_seconds = 1\nlinger_seconds = 20\nmetrics_port = " + std::to_string(metrics_) + "\n";
};

// Whoever mends one of them and starts again should not find the next.
TEST_F(NetworkMistakes, OfAServerAreAllToldAtOnce) {
  const std::string wrong = "quorum = 3\nsate = \"x\"\n";
  folder_.write("file", "");
  std::string document = network_configuration("dsvgd", {}, wrong);
  document = std::regex_replace(document, std::regex("127.0.0.1:0"), "nowhere");
  document = std::regex_replace(document, std::regex("\"state\"\n"), "\"file/state\"\n");
  document = std::regex_replace(document, std::regex("key = \"keys/server.key\"\n"), "");
  folder_.write("net.toml", document);
  const Finished ended = fedstein_in(folder_, {"serve", "net.toml"});
  EXPECT_EQ(ended.code, 78);
  for (const char* part : {"server.quorum is 3; allowed: ",
                           "server.sate is no key of this table; did you mean 'state'?",
                           "server.address is 'nowhere'; allowed: HOST:PORT",
                           "server.certificate names keys/server.crt: cannot be read: No such file",
                           "server.key is missing; a server needs certificate, key, authority and revocations",
                           "server.authority names keys/ca.crt: cannot be read",
                           "server.revocations names ca/ca.crl: cannot be read",
                           "server.state is 'file/state'; "}) {
    EXPECT_THAT(ended.errors, HasSubstr(part));
  }
  EXPECT_EQ(std::count(ended.errors.begin(), ended.errors.end(), '\n'), 8) << ended.errors;
  // The same where the text is right and what it asks for is not.
  document = network_configuration("dsvgd", {}, "[[algorithm]]\ntype = \"fedavg\"\n");
  folder_.write("net.toml", std::regex_replace(document, std::regex("trials = 1"), "trials = 2"));
  EXPECT_THAT(fedstein_in(folder_, {"serve", "net.toml"}).errors,
              testing::AllOf(HasSubstr("experiment.trials is 2; allowed: 1"),
                             HasSubstr("lists several [[algorithm]]s"),
                             HasSubstr("server.key names keys/server.key")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("state")));
}

TEST_F(NetworkMistakes, OfAnAgentsOwnAreFoundBeforeAnybodyIsCalled) {
  certify();
  const std::string nobody = "127.0.0.1:" + std::to_string(free_port());
  expect_one_sentence(agent(nobody, "keys/agent-0.crt", "keys/agent-1.key", "keys/ca.crt"),
                      65,
                      "the private key does not belong to the certificate of 'agent-0'");
  ASSERT_EQ(fedstein_in(folder_, {"ca", "init", "--folder", "other", "--name", "other-ca"}).code, 0);
  expect_one_sentence(
      agent(nobody, "keys/agent-0.crt", "keys/agent-0.key", "other/ca.crt"), 65, "before the authority 'other-ca'");
  expect_one_sentence(
      agent(nobody, "keys/server.crt", "keys/server.key", "keys/ca.crt"), 65, "'server' is not an agent's");
  expect_one_sentence(agent(nobody, "keys/none.crt", "keys/agent-0.key", "keys/ca.crt"), 66, "keys/none.crt");
  folder_.write("keys/junk.crt", "junk");
  expect_one_sentence(agent(nobody, "keys/junk.crt", "keys/agent-0.key", "keys/ca.crt"), 65, "not a certificate");

  const auto with_data = [&](const std::vector<std::string>& data) {
    return agent(nobody, "keys/agent-0.crt", "keys/agent-0.key", "keys/ca.crt", data);
  };
  expect_one_sentence(with_data({}), 64, "no data");
  expect_one_sentence(with_data({"--simulate", "--data", "net.toml"}), 64, "only one can be meant");
  expect_one_sentence(with_data({"--data", "none.csv"}), 66, "there is no file 'none.csv'");
  expect_one_sentence(with_data({"--data", "net.toml", "--test-data", "gone.csv"}), 66, "'gone.csv'");
  for (const char* place : {"localhost", "localhost:", "localhost:0", "localhost:65536", "localhost:http", ":7410"}) {
    expect_one_sentence(agent(place, "keys/agent-0.crt", "keys/agent-0.key", "keys/ca.crt"), 64, "HOST:PORT");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("mistaken")));
}

TEST_F(NetworkMistakes, BetweenAgentAndServerAreToldApartFromAServerThatIsDown) {
  certify();
  const auto server = start_server();
  ASSERT_EQ(fedstein_in(folder_, {"ca", "init", "--folder", "other"}).code, 0);
  ASSERT_EQ(fedstein_in(folder_, {"ca", "issue", "agent-0", "--folder", "other", "--out", "fake"}).code, 0);
  const Finished other = agent(address_, "fake/agent-0.crt", "fake/agent-0.key", "fake/ca.crt");
  expect_one_sentence(other, 77, "the certificate of " + address_ + " cannot be believed");
  const std::string by_name = "localhost" + address_.substr(address_.rfind(':'));
  expect_one_sentence(agent(by_name, "keys/agent-0.crt", "keys/agent-0.key", "keys/ca.crt"), 77, "cannot be believed");
  expect_one_sentence(
      fedstein_in(folder_, {"agent", address_, "--simulate", "--state", "mistaken", "--insecure", "agent-0"}),
      77,
      address_ + " asks for certificates");
  ASSERT_EQ(fedstein_in(folder_, {"ca", "issue", "mallory", "--out", "keys"}).code, 0);
  expect_one_sentence(agent(address_, "keys/mallory.crt", "keys/mallory.key", "keys/ca.crt"),
                      77,
                      "'mallory' is no agent of this federation");
  const nlohmann::json report = status();
  EXPECT_EQ(report["stranger_refusals"]["stranger"], 1);
  EXPECT_GE(report["stranger_refusals"]["tls"].get<int>(), 1);
  EXPECT_THAT(fedstein_in(folder_, {"status", "--port", std::to_string(metrics_)}).output,
              HasSubstr("strangers refused: 1 stranger, "));
}

TEST_F(NetworkMistakes, AServerWithoutTlsIsNoneForAnAgentWithACertificate) {
  certify();
  const Process server(program({"serve", "net.toml", "--insecure"}), folder_.path("."), "plain");
  wait_for_text("plain.out", "serving net at ");
  const std::string text = read_text(folder_.path("plain.out"));
  const std::size_t start = text.find("127.0.0.1:");
  const std::string place = text.substr(start, text.find(',', start) - start);
  expect_one_sentence(agent(place, "keys/agent-0.crt", "keys/agent-0.key", "keys/ca.crt"), 77, "does not speak TLS");
}

TEST_F(NetworkMistakes, AServerThatIsDownIsCalledAgainAndSaidSo) {
  certify();
  address_ = "127.0.0.1:" + std::to_string(free_port());
  const auto patient = start_agent(0, {"--simulate"});
  wait_for_text("agent-0.err", address_ + ": no line at the moment, trying again");
  EXPECT_TRUE(patient->running());
  patient->signal(SIGTERM);
  EXPECT_EQ(patient->wait(), 0);
  // None of gRPC's own lines, which begin with a letter and the date.
  EXPECT_THAT(read_text(folder_.path("agent-0.err")), Not(testing::ContainsRegex("(^|\n)[EIW][0-9][0-9][0-9][0-9] ")));
}

TEST_F(NetworkMistakes, ASecondAgentOfTheSameNameIsToldSoAndTheFirstStays) {
  certify();
  const auto server = start_server();
  const auto first = start_agent(0, {"--simulate"});
  while (!status()["agents"][0]["attached"]) {
  }
  const Finished newcomer = agent(address_, "keys/agent-0.crt", "keys/agent-0.key", "keys/ca.crt");
  EXPECT_EQ(newcomer.code, 77);
  EXPECT_THAT(newcomer.errors,
              HasSubstr("fedstein: the server refuses: another agent named 'agent-0' is connected and"));
  EXPECT_TRUE(first->running());
  EXPECT_EQ(status()["agents"][0]["refusals"]["hello"], 1);
  const auto second = start_agent(1, {"--simulate"});
  const auto third = start_agent(2, {"--simulate"});
  for (const auto& each : {&first, &second, &third}) EXPECT_EQ((*each)->wait(), 0);
  EXPECT_EQ(server->wait(), 0);
}

TEST_F(NetworkMistakes, AFinishedServerSaysSoAndTellsTheAgents) {
  certify();
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  const Finished before = fedstein_in(folder_, {"compare", "state", "--json"});
  std::filesystem::remove(folder_.path("server.out"));
  const auto server = start_server();
  EXPECT_THAT(read_text(folder_.path("server.out")), HasSubstr("all 6 rounds are done"));
  EXPECT_EQ(status()["round"], 6);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(start_agent(k, {"--simulate"})->wait(), 0);
  EXPECT_EQ(server->wait(), 0);
  EXPECT_THAT(read_text(folder_.path("server.out")), HasSubstr("the run is over: 6 rounds"));
  EXPECT_EQ(fedstein_in(folder_, {"compare", "state", "--json"}).output, before.output);
}

TEST_F(NetworkMistakes, AFinishedRunHasTheAgentsFiguresAndStatusFewDigits) {
  certify();
  run_to_the_end([](int) { return std::vector<std::string>{"--simulate"}; });
  const std::string text = fedstein_in(folder_, {"compare", "state"}).output;
  for (const char* figure : {"accuracy", "ece", "mce"}) EXPECT_THAT(text, HasSubstr(figure));
  std::filesystem::remove(folder_.path("server.out"));
  const auto server = start_server();
  const auto agent = start_agent(0, {"--simulate"});
  EXPECT_EQ(agent->wait(), 0);
  const std::string shown = fedstein_in(folder_, {"status", "--port", std::to_string(metrics_)}).output;
  EXPECT_THAT(shown, HasSubstr("federated calibration over "));
  EXPECT_FALSE(std::regex_search(shown, std::regex("\\.0*[1-9][0-9]{4}"))) << shown;
}

TEST_F(NetworkMistakes, ARevocationListThatIsBeingWrittenIsAWarningAndEndsNobody) {
  certify();
  const auto server = start_server();
  const auto first = start_agent(0, {"--simulate"});
  while (!status()["agents"][0]["attached"]) {
  }
  const std::string good = read_text(folder_.path("ca/ca.crl"));
  folder_.write("ca/ca.crl", "");
  wait_for_text("server.err", "notice (revocation list): ca/ca.crl: ");
  EXPECT_THAT(status()["trust_trouble"].get<std::string>(), HasSubstr("the last good revocation list stays in force"));
  EXPECT_THAT(fedstein_in(folder_, {"status", "--port", std::to_string(metrics_)}).output,
              HasSubstr("warning: ca/ca.crl: "));
  folder_.write("ca/ca.crl", good);
  wait_for_text("server.err", "the revocation list is in order again");
  EXPECT_EQ(status()["trust_trouble"], "");
  const auto second = start_agent(1, {"--simulate"});
  const auto third = start_agent(2, {"--simulate"});
  for (const auto& each : {&first, &second, &third}) EXPECT_EQ((*each)->wait(), 0);
  EXPECT_EQ(server->wait(), 0);
  EXPECT_EQ(read_text(folder_.path("server.err")).find("refused"), std::string::npos);
}

TEST_F(NetworkMistakes, APlaceThatCannotBeServedAtIsNamed) {
  certify();
  const auto server = start_server();
  const auto elsewhere = [&](const std::string& place) {
    return fedstein_in(folder_, {"serve", "net.toml", "--state", "other", "--address", place});
  };
  expect_one_sentence(elsewhere(address_), 69, "cannot serve at " + address_ + ": Address already in use");
  expect_one_sentence(elsewhere("203.0.113.7:7410"), 69, "Cannot assign requested address");
  expect_one_sentence(elsewhere("127.0.0.1"), 64, "HOST:PORT");
  expect_one_sentence(elsewhere("127.0.0.1:0"), 69, "metrics_port " + std::to_string(metrics_));
  folder_.write("bad.toml",
                std::regex_replace(network_configuration("dsvgd"), std::regex("127.0.0.1:0"), "127.0.0.1:ninety"));
  expect_one_sentence(
      fedstein_in(folder_, {"serve", "bad.toml"}), 78, "bad.toml: server.address is '127.0.0.1:ninety'");
}

TEST_F(NetworkMistakes, OfTheServersConfiguration) {
  certify();
  folder_.write("fedbe.toml", network_configuration("fedbe"));
  expect_one_sentence(fedstein_in(folder_, {"serve", "fedbe.toml"}), 78, "whose server distils on rows of its own");
  folder_.write("key.toml",
                std::regex_replace(network_configuration("dsvgd"), std::regex("keys/server.key"), "keys/agent-0.key"));
  expect_one_sentence(
      fedstein_in(folder_, {"serve", "key.toml"}), 65, "does not belong to the certificate of 'server'");
}

}  // namespace
}  // namespace fedstein
