// SPDX-License-Identifier: Apache-2.0
// Calls that never get to their end, written byte by byte: they hold no thread of the server, and agents get through.
#include <gtest/gtest.h>

#include <iostream>

#include "rpc/many_sockets.h"
#include "rpc/raw_client.h"
#include "rpc/server_process.h"

namespace fedstein {
namespace {

constexpr std::size_t kConnections = 7;  // as an agent may have, beside the honest one's
constexpr int kStreams = 16;

std::string number(std::size_t value, int bytes) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
  return out;
}

// HTTP/2: length, type, flags, stream.
std::string frame(char type, char flags, std::size_t stream, const std::string& content) {
  return number(content.size(), 3) + type + flags + number(stream, 4) + content;
}

std::string header(const std::string& name, const std::string& value) {
  return std::string(1, '\0') + number(name.size(), 1) + name + number(value.size(), 1) + value;
}

std::string call(std::size_t stream, const std::string& method, const std::string& data, bool whole) {
  constexpr char kHeaders = 1;
  constexpr char kData = 0;
  constexpr char kEndHeaders = 4;
  constexpr char kEndStream = 1;
  const std::string headers = header(":method", "POST") + header(":scheme", "http") +
                              header(":path", "/fedstein.v1.Federation/" + method) + header(":authority", "here") +
                              header("content-type", "application/grpc") + header("te", "trailers") +
                              header("fedstein-agent", "agent-0");
  return frame(kHeaders, kEndHeaders, stream, headers) + frame(kData, whole ? kEndStream : '\0', stream, data);
}

// A connection's first words. window: how much of an answer may be sent before the caller asks for more.
std::string greeting(std::size_t window) {
  constexpr char kSettings = 4;
  constexpr std::size_t kInitialWindow = 4;
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, number(kInitialWindow, 2) + number(window, 4));
}

void expect_no_threads_held(const std::string& words) {
  const TestCase which{.algorithm = "dsvgd", .agents = 2, .rounds = 4};
  ServerProcess server(which, 1024, ServerProcess::Trust::kNone);
  connect_to(server.port());
  const double before = server.threads();
  const ManySockets slow(server.port(), kConnections, words);
  EXPECT_EQ(server.finish_run(), 0) << server.said();
  EXPECT_LE(server.most_threads() - before, 16) << "of " << kConnections * kStreams << " calls";
  std::cout << "threads: " << before << " before, " << server.most_threads() << " at most, " << kConnections * kStreams
            << " calls under way\n";
}

TEST(SlowCalls, HalfMessagesHoldNoThread) {
  std::string words = greeting(65535);
  for (int k = 0; k < kStreams; ++k) {
    const std::string half = number(0, 1) + number(100, 4) + std::string(10, '\0');
    words += call(static_cast<std::size_t>(2 * k + 1), "Beat", half, false);
  }
  expect_no_threads_held(words);
}

TEST(SlowCalls, AnswersThatNobodyTakesHoldNoThread) {
  std::string words = greeting(0);
  for (int k = 0; k < kStreams; ++k) {
    const std::string said = introduction().SerializeAsString();
    const std::string message = number(0, 1) + number(said.size(), 4) + said;
    words += call(static_cast<std::size_t>(2 * k + 1), "Introduce", message, true);
  }
  expect_no_threads_held(words);
}

}  // namespace
}  // namespace fedstein
