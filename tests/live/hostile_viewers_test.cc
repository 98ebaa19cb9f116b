// SPDX-License-Identifier: Apache-2.0
// Callers of the page that know no token and want its server's memory, or want it not to end.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "fedstein/live/live_page.h"
#include "fedstein/live/live_place.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Caller {
 public:
  explicit Caller(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
  }
  ~Caller() { close(socket_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  bool say(const std::string& text) const {
    return send(socket_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  // As much as is taken without waiting.
  std::size_t offer(const std::string& text) const {
    const ssize_t count = send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  // Until the other side closes the connection.
  std::string hear_all() const {
    std::string out;
    std::string block(1 << 16, '\0');
    for (ssize_t count = 0; (count = recv(socket_, block.data(), block.size(), 0)) > 0;) {
      out.append(block, 0, static_cast<std::size_t>(count));
    }
    return out;
  }
  // Whether the other side has closed the connection within so many milliseconds.
  bool is_cut_within(int milliseconds) const {
    pollfd look = {.fd = socket_, .events = POLLIN, .revents = 0};
    return poll(&look, 1, milliseconds) > 0;
  }

 private:
  int socket_;
};

LivePageOptions open_page() {
  LivePageOptions out;
  out.parts = [] { return Board::Parts{{"count", "1"}}; };
  return out;
}

TEST(HostileViewers, BodiesThatDoNotSayTheirLengthAreNotRead) {
  TemporaryFolder folder;
  folder.write("token", "0123456789abcdef0123456789\n");
  std::filesystem::permissions(folder.path("token"), std::filesystem::perms::owner_read);
  LivePageOptions locked = open_page();
  locked.token_file = folder.path("token");
  const LivePage page(locked);
  for (const char* header : {"",
                             "Transfer-Encoding: chunked\r\n",
                             "Content-Length: 8\r\nTransfer-Encoding: chunked\r\n",
                             "Content-Length: 8\r\nContent-Encoding: gzip\r\n"}) {
    const Caller caller(page.port());
    // No body follows: a server that waited for one would answer 400 or nothing.
    ASSERT_TRUE(
        caller.say(std::string("POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n") + header + "\r\n"));
    EXPECT_THAT(caller.hear_all(), StartsWith("HTTP/1.1 411 ")) << header;
  }
}

TEST(HostileViewers, ManyRangesAreNotAnsweredWithAsManyPages) {
  const LivePage page(open_page());
  std::string ranges = "0-";
  for (int k = 0; k < 1000; ++k) ranges += ",0-";
  const Caller caller(page.port());
  ASSERT_TRUE(
      caller.say("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nRange: bytes=" + ranges + "\r\n\r\n"));
  const std::string heard = caller.hear_all();
  EXPECT_THAT(heard, StartsWith("HTTP/1.1 416 "));
  EXPECT_THAT(heard, Not(HasSubstr("<title>")));
}

// The library takes lines of a header for as long as they come.
TEST(HostileViewers, HeadersWithoutEndAreCut) {
  const LivePage page(open_page());
  const Caller caller(page.port());
  ASSERT_TRUE(caller.say("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"));
  const std::string line = "X-Long: " + std::string(8000, 'x') + "\r\n";
  constexpr std::size_t kMost = std::size_t{256} << 20U;
  std::size_t sent = 0;
  while (sent < kMost && !caller.is_cut_within(0)) {
    const std::size_t taken = caller.offer(line.substr(sent % line.size()));
    sent += taken;
    if (taken == 0 && caller.is_cut_within(1000)) break;
  }
  EXPECT_LT(sent, kMost);
}

// A folder in which anybody may have put the file.
TEST(HostileViewers, AForeignFolderNamesNoSecretThatIsSentToItsPort) {
  using std::filesystem::perms;
  TemporaryFolder folder;
  write_live_place(folder.path(""), {.port = 1234, .token_file = "/home/somebody/secret"});
  ASSERT_TRUE(live_place_of(folder.path("")));
  EXPECT_EQ(live_place_of(folder.path(""))->token_file, "/home/somebody/secret");
  std::filesystem::permissions(folder.path("live.json"), perms::owner_read | perms::others_read);
  ASSERT_TRUE(live_place_of(folder.path("")));
  EXPECT_EQ(live_place_of(folder.path(""))->port, 1234);
  EXPECT_EQ(live_place_of(folder.path(""))->token_file, "");
}

// Each of them sends a letter of its header ten times a second, for up to a minute.
TEST(HostileViewers, CallersThatNeverFinishDoNotKeepTheServerFromEnding) {
  auto page = std::make_unique<LivePage>(open_page());
  std::vector<std::thread> callers;
  std::atomic<int> cut = 0;
  std::atomic<int> begun = 0;
  // More than the page holds at a time: the rest waits to be accepted. Of still more the system would let some try to
  // connect for many seconds.
  constexpr int kCallers = 44;
  for (int k = 0; k < kCallers; ++k) {
    callers.emplace_back([&, port = page->port()] {
      const Caller caller(port);
      caller.say("GET / HTTP/1.1\r\nSlowly: ");
      ++begun;
      for (int beat = 0; beat < 600; ++beat) {
        if (caller.is_cut_within(100) || !caller.say("x")) {
          ++cut;
          return;
        }
      }
    });
  }
  while (begun < kCallers) std::this_thread::yield();
  const auto before = std::chrono::steady_clock::now();
  page.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(cut, kCallers);
}

}  // namespace
}  // namespace fedstein
