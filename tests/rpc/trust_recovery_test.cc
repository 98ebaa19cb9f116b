// SPDX-License-Identifier: Apache-2.0
// What passes does not end an agent: a revocation list that is half written, a clock that is wrong for a while. What
// does not pass still does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>

#include "fedstein/files/read_file.h"
#include "fedstein/trust/authority.h"
#include "fedstein/trust/server_examination.h"
#include "rpc/test_federation.h"
#include "support/free_port.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kYear = 365LL * 24 * 60 * 60;
constexpr auto kLongest = std::chrono::seconds(60);  // a test that hangs fails instead

class TrustRecovery : public testing::Test {
 protected:
  void SetUp() override { make_certificates(ca_, which_.agents); }

  void TearDown() override {
    const bool running = server_.valid() && server_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    if (running) desk_->stop();  // of a test that has failed before its end
  }

  void start_server(const std::string& address = "127.0.0.1:0") {
    ServeArguments arguments{.which = which_, .state = folder_.path("server"), .certificates = ca_, .address = address};
    arguments.now = [this] { return std::time(nullptr) + clock_error_; };
    arguments.on_event = [this](const std::string& line) {
      if (line.find("(revocation list)") != std::string::npos) note(troubles_, line);
    };
    arguments.on_serving = [this](int port, ServerDesk& desk) { serving_.set_value({port, &desk}); };
    server_ = std::async(std::launch::async, [arguments] { return serve(arguments); });
    int port = 0;
    std::tie(port, desk_) = serving_.get_future().get();
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  std::future<AgentRunner::Ending> start_agent(Index k) {
    AgentArguments arguments{.which = which_,
                             .agent = k,
                             .server = address_,
                             .state = folder_.path(TestFederation::name_of(k)),
                             .certificates = ca_};
    arguments.on_event = [this](const std::string& event) { note(events_, event); };
    return std::async(std::launch::async, [arguments] { return run_agent(arguments); });
  }
  void expect_the_whole_run() {
    ASSERT_EQ(server_.wait_for(kLongest), std::future_status::ready);
    EXPECT_TRUE(server_.get().particles == TestFederation(which_).run_in_process().particles);
  }
  // As `cp` does it.
  void overwrite_list(const std::string& bytes) const { std::ofstream(ca_ + "/ca.crl", std::ios::binary) << bytes; }

  void note(std::vector<std::string>& lines, const std::string& line) {
    const std::lock_guard lock(mutex_);
    lines.push_back(line);
  }
  std::vector<std::string> copy_of(const std::vector<std::string>& lines) {
    const std::lock_guard lock(mutex_);
    return lines;
  }
  template <typename Condition>
  bool wait_until(const Condition& condition) {
    const auto limit = std::chrono::steady_clock::now() + kLongest;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }

  TestCase which_{.algorithm = "dsvgd", .agents = 2, .rounds = 8};
  TemporaryFolder folder_;
  std::string ca_ = folder_.path("ca");
  std::atomic<std::int64_t> clock_error_{0};
  std::promise<std::pair<int, ServerDesk*>> serving_;
  ServerDesk* desk_ = nullptr;
  std::string address_;
  std::future<ServeResult> server_;
  std::mutex mutex_;
  std::vector<std::string> troubles_;
  std::vector<std::string> events_;
};

TEST_F(TrustRecovery, AListThatIsOverwrittenInPlaceEndsNobody) {
  const std::string good = read_file(ca_ + "/ca.crl");
  start_server();
  auto first = start_agent(0);
  ASSERT_TRUE(wait_until([&] { return desk_->status().agents[0].attached; }));
  overwrite_list("");
  auto second = start_agent(1);  // both work under an empty list until round 2 is over
  ASSERT_TRUE(wait_until([&] { return desk_->status().closed_round >= 2; }));
  overwrite_list(good.substr(0, good.size() / 2));
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  expect_the_whole_run();
  ASSERT_FALSE(troubles_.empty());
  EXPECT_THAT(troubles_.front(), HasSubstr("the last good revocation list stays in force"));
  EXPECT_THAT(copy_of(events_), Not(Contains(HasSubstr("no line"))));
}

// All calls and both lines are turned away while the server's clock is a year ahead, and a year behind.
TEST_F(TrustRecovery, AServersWrongClockEndsNobody) {
  start_server();
  auto first = start_agent(0);
  ASSERT_TRUE(wait_until([&] { return desk_->status().agents[0].attached; }));
  std::int64_t seen = 0;
  for (const std::int64_t error : {2 * kYear, -kYear}) {
    clock_error_ = error;
    const auto refusals = [&] {
      const auto counted = desk_->status().agents[0].refusals;
      return counted.contains("certificate") ? counted.at("certificate") : 0;
    };
    ASSERT_TRUE(wait_until([&] { return refusals() > seen + 1; }));
    clock_error_ = 0;
    ASSERT_TRUE(wait_until([&] { return desk_->status().agents[0].attached; }));
    seen = refusals();
  }
  auto second = start_agent(1);
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  expect_the_whole_run();
  EXPECT_THAT(copy_of(events_), AllOf(Contains(HasSubstr("has expired")), Contains(HasSubstr("is not yet valid"))));
}

TEST_F(TrustRecovery, ARevokedAgentEndsWithASentenceAndAnEarlierListDoesNotHelpIt) {
  const std::string earlier = read_file(ca_ + "/ca.crl");
  start_server();
  auto first = start_agent(0);
  ASSERT_TRUE(wait_until([&] { return desk_->status().agents[0].attached; }));
  Authority(ca_).revoke("agent-0");
  EXPECT_THROW_MESSAGE(first.get(), TurnedAway, "the certificate of 'agent-0' is revoked");
  overwrite_list(earlier);
  EXPECT_THROW_MESSAGE(start_agent(0).get(), TurnedAway, "the certificate of 'agent-0' is revoked");
  EXPECT_THAT(copy_of(troubles_), ElementsAre(HasSubstr("older than the one in force")));
  desk_->stop();
  EXPECT_THROW(server_.get(), ServingStopped);
}

// gRPC judges dates in the handshake, by the system's clock; so does the openssl program, by any.
class OpensslServer {
 public:
  OpensslServer(const std::string& folder, const std::string& ca, const std::string& own, const std::string& time)
      : port_(free_port()),
        process_({"/usr/bin/env",
                  "openssl",
                  "s_server",
                  "-accept",
                  "127.0.0.1:" + std::to_string(port_),
                  "-cert",
                  ca + "/server.crt",
                  "-key",
                  ca + "/server.key",
                  "-CAfile",
                  own,
                  "-Verify",
                  "2",
                  "-verify_return_error",
                  "-tls1_3",
                  "-alpn",
                  "h2",
                  "-www",
                  "-attime",
                  time},
                 folder,
                 "s_server-" + std::to_string(port_)) {
    while (process_.running() && process_.output().find("ACCEPT") == std::string::npos) std::this_thread::yield();
  }
  int port() const { return port_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  void stop() {
    process_.signal(SIGKILL);
    process_.wait();
  }

 private:
  int port_;
  Process process_;
};

TEST_F(TrustRecovery, AHandshakeThatFailsByDatesIsToldFromOneThatFailsForGood) {
  using Kind = ServerExamination::Kind;
  const auto examined = [&](const KeyPair& own, const std::string& authority, std::int64_t server_time) {
    OpensslServer server(folder_.path("."), ca_, authority, std::to_string(server_time));
    ServerExamination found;
    // A closing socket may swallow the server's verdict, and a busy machine may not hear it in time.
    wait_until([&] {
      found = examine_server({.address = server.address(), .own = own, .authority = read_file(ca_ + "/ca.crt")});
      return found.kind != Kind::kUnclear;
    });
    return found;
  };
  const KeyPair own = certificate_of(ca_, "agent-0");
  const std::int64_t now = std::time(nullptr);
  const ServerExamination ahead = examined(own, ca_ + "/ca.crt", now + 2 * kYear);
  EXPECT_EQ(ahead.kind, Kind::kClocks) << ahead.reason;
  EXPECT_THAT(ahead.reason, HasSubstr("which is valid by our clock"));
  const ServerExamination behind = examined(own, ca_ + "/ca.crt", now - kYear);
  EXPECT_EQ(behind.kind, Kind::kClocks) << behind.reason;
  const KeyPair expired = Authority(ca_).issue({.name = "agent-0", .days = -1});
  const ServerExamination over = examined(expired, ca_ + "/ca.crt", now);
  EXPECT_EQ(over.kind, Kind::kRefused);
  EXPECT_THAT(over.reason, HasSubstr("expired"));
  Authority::create(folder_.path("other"), "other-ca", 30);
  EXPECT_EQ(examined(own, folder_.path("other") + "/ca.crt", now).kind, Kind::kRefused);
}

TEST_F(TrustRecovery, AnAgentWaitsForAServerWhoseClockIsWrong) {
  OpensslServer wrong(folder_.path("."), ca_, ca_ + "/ca.crt", std::to_string(std::time(nullptr) + 2 * kYear));
  address_ = wrong.address();
  auto first = start_agent(0);
  // A closing socket may swallow the server's verdict: then the agent looks again at the next try.
  const auto clock_is_named = [&] {
    const auto events = copy_of(events_);
    return std::any_of(events.begin(), events.end(), [](const std::string& event) {
      return event.find("valid by our clock") != std::string::npos;
    });
  };
  ASSERT_TRUE(wait_until(clock_is_named));
  wrong.stop();
  start_server(wrong.address());
  auto second = start_agent(1);
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  expect_the_whole_run();
}

}  // namespace
}  // namespace fedstein
