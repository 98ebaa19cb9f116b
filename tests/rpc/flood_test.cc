// SPDX-License-Identifier: Apache-2.0
// Strangers, and an agent without measure, open more connections than the server may have descriptors: the run goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fedstein/files/read_file.h"
#include "rpc/many_sockets.h"
#include "rpc/raw_client.h"
#include "rpc/server_process.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kDescriptors = 192;
constexpr std::size_t kConnections = 400;
const TestCase kCase{.algorithm = "dsvgd", .agents = 2, .rounds = 4};

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

struct Opening {
  const char* name;
  std::string words;
};

class Flood : public testing::TestWithParam<Opening> {};

// A TLS record that announces 512 bytes of a ClientHello and brings five.
const std::string kHalfHello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03", 10);
INSTANTIATE_TEST_SUITE_P(Openings,
                         Flood,
                         testing::Values(Opening{"Silence", ""},
                                         Opening{"Garbage", "GET / HTTP/1.1\r\n\r\n"},
                                         Opening{"HalfAHello", kHalfHello}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(Flood, TheRunIsFinishedWhileTheyAreOpen) {
  ServerProcess server(kCase, kDescriptors);
  const ManySockets flood(server.port(), kConnections, GetParam().words);
  EXPECT_EQ(server.finish_run(), 0) << server.said();
}

TEST_P(Flood, TheRunIsFinishedAfterTheyAreClosed) {
  ServerProcess server(kCase, kDescriptors);
  ManySockets flood(server.port(), kConnections, GetParam().words);
  // The server has met them all: those that it has no room for it has closed.
  EXPECT_GE(flood.wait_for_closed(kConnections - kDescriptors), kConnections - kDescriptors);
  flood.close();
  EXPECT_EQ(server.finish_run(), 0) << server.said();
  EXPECT_THAT(server.said(), HasSubstr("connections are being closed"));
  EXPECT_LE(count_of(server.said(), "\n"), 6U) << server.said();  // sentences about the series, not about each
}

TEST(FloodOfConnections, ThoseThatSayNothingAreClosedInTime) {
  ServerProcess server(kCase, 1024);
  const ManySockets few(server.port(), 5);
  EXPECT_EQ(few.wait_for_closed(5), 5U);
  EXPECT_EQ(server.finish_run(), 0) << server.said();
}

TEST(FloodOfConnections, TwoThousandThatComeAndGo) {
  ServerProcess server(kCase, kDescriptors);
  for (int k = 0; k < 2000; ++k) connect_to(server.port());
  EXPECT_EQ(server.finish_run(), 0) << server.said();
}

TEST(FloodOfConnections, OneAgentOpensTwoHundred) {
  ServerProcess server(kCase, kDescriptors);
  const KeyPair own = certificate_of(server.certificates(), "agent-0");
  const std::string authority = read_file(server.certificates() + "/ca.crt");
  std::vector<std::unique_ptr<RawClient>> lines;
  int served = 0;
  for (int k = 0; k < 200; ++k) {
    lines.push_back(std::make_unique<RawClient>(server.port(), own, authority));
    served += lines.back()->introduce().ok() ? 1 : 0;
  }
  EXPECT_EQ(served, 200);
  EXPECT_LT(server.descriptors(), 100U);
  EXPECT_EQ(server.finish_run(), 0) << server.said();
}

}  // namespace
}  // namespace fedstein
