// SPDX-License-Identifier: Apache-2.0
// What /healthz says is so: of the door, and of the status page's own.
#include <gmock/gmock.h>
#include <httplib.h>
#include <sys/resource.h>

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "apps/network.h"
#include "support/free_port.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

class Health : public Network {
 protected:
  void SetUp() override {
    folder_.write("net.toml", network_configuration("dsvgd") + "metrics_port = " + std::to_string(port_) + "\n");
    certify();
    server_ = start_server();
  }
  std::pair<int, std::string> health() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(20);
    const httplib::Result result = client.Get("/healthz");
    return result ? std::pair{result->status, result->body} : std::pair{0, httplib::to_string(result.error())};
  }
  // Asks until the answer is this one, for half a minute at most.
  std::pair<int, std::string> wait_for(int status) const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    auto answer = health();
    while (answer.first != status && std::chrono::steady_clock::now() < limit) answer = health();
    return answer;
  }
  // The soft limit of the server's process; the old one.
  rlim_t limit_descriptors(rlim_t limit) const {
    rlimit old = {};
    EXPECT_EQ(prlimit(server_->id(), RLIMIT_NOFILE, nullptr, &old), 0);
    const rlimit wanted{limit, old.rlim_max};
    EXPECT_EQ(prlimit(server_->id(), RLIMIT_NOFILE, &wanted, nullptr), 0);
    return old.rlim_cur;
  }

  int port_ = free_port();
  std::unique_ptr<Process> server_;
};

TEST_F(Health, IsLostWithTheLastDescriptorsAndComesBack) {
  EXPECT_EQ(health(), (std::pair<int, std::string>{200, "ok\n"}));
  // Enough for the status page, but within the reserve that agents do not get.
  const std::filesystem::directory_iterator used("/proc/" + std::to_string(server_->id()) + "/fd");
  const auto few = static_cast<rlim_t>(std::distance(begin(used), end(used))) + 30;
  const rlim_t before = limit_descriptors(few);
  const auto [status, words] = wait_for(503);
  EXPECT_EQ(status, 503);
  EXPECT_THAT(words,
              HasSubstr("no connection can be accepted: this process may have " + std::to_string(few) + " open files"));
  EXPECT_THAT(fedstein_in(folder_, {"status", "--port", std::to_string(port_)}).output,
              HasSubstr("trouble: no connection can be accepted"));
  limit_descriptors(before);
  EXPECT_EQ(wait_for(200), (std::pair<int, std::string>{200, "ok\n"}));
}

TEST_F(Health, AnswersAfterAFloodOnItsOwnPort) {
  {
    std::vector<int> idle;
    for (int k = 0; k < 300; ++k) {
      const int one = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      sockaddr_in place = {};
      place.sin_family = AF_INET;
      place.sin_port = htons(static_cast<std::uint16_t>(port_));
      place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      connect(one, reinterpret_cast<sockaddr*>(&place), sizeof place);
      idle.push_back(one);
    }
    for (const int one : idle) close(one);
  }
  EXPECT_EQ(wait_for(200), (std::pair<int, std::string>{200, "ok\n"}));
  const Finished status = fedstein_in(folder_, {"status", "--port", std::to_string(port_), "--json"});
  EXPECT_TRUE(nlohmann::json::parse(status.output)["connections"]["trouble"].is_null()) << status.output;
}

}  // namespace
}  // namespace fedstein
