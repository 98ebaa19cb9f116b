// SPDX-License-Identifier: Apache-2.0
// The page's server over real connections: what it answers, to whom, and what viewers can cost.
#include "fedstein/live/live_page.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "fedstein/base/error.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kToken = "0123456789abcdef0123456789";

class LivePageTest : public testing::Test {
 protected:
  LivePageOptions options() {
    LivePageOptions out;
    out.parts = [this] { return Board::Parts{{"count", std::to_string(++count_)}, {"filling", filling_}}; };
    out.texts["/status"] = {.text = [] { return std::string("{\"state\":\"running\"}"); }};
    out.texts["/healthz"] = {.text = [] { return std::string("ok"); }, .open_to_all = true};
    return out;
  }
  LivePageOptions locked() {
    folder_.write("token", std::string(kToken) + "\n");
    std::filesystem::permissions(folder_.path("token"), std::filesystem::perms::owner_read);
    LivePageOptions out = options();
    out.token_file = folder_.path("token");
    return out;
  }
  static httplib::Result get(const LivePage& page, const std::string& path, const httplib::Headers& headers = {}) {
    httplib::Client client("127.0.0.1", page.port());
    return client.Get(path.c_str(), headers);
  }
  // Events until one holds this text; what came so far.
  static std::string events_until(const LivePage& page, const std::string& text, const std::string& path = "/events") {
    httplib::Client client("127.0.0.1", page.port());
    client.set_read_timeout(20);
    std::string out;
    client.Get(path.c_str(), [&](const char* data, std::size_t size) {
      out.append(data, size);
      return out.find(text) == std::string::npos;
    });
    return out;
  }

  TemporaryFolder folder_;
  std::atomic<int> count_ = 0;
  std::string filling_ = "\"\"";
};

TEST_F(LivePageTest, ServesThePageItsEventsAndTexts) {
  const LivePage page(options());
  EXPECT_EQ(page.url(), "http://127.0.0.1:" + std::to_string(page.port()) + "/");
  const httplib::Result html = get(page, "/");
  ASSERT_TRUE(html);
  EXPECT_EQ(html->status, 200);
  EXPECT_THAT(html->body, HasSubstr("<title>fedstein live</title>"));
  EXPECT_THAT(html->body, HasSubstr("default-src 'none'; connect-src 'self'; script-src 'sha256-"));
  EXPECT_EQ(html->get_header_value("X-Frame-Options"), "DENY");
  EXPECT_EQ(html->get_header_value("Content-Security-Policy"), "frame-ancestors 'none'");
  EXPECT_EQ(html->get_header_value("Cache-Control"), "no-store");
  EXPECT_EQ(get(page, "/status")->body, "{\"state\":\"running\"}");
  EXPECT_THAT(events_until(page, "\"count\":2"), HasSubstr("event: whole"));
}

TEST_F(LivePageTest, CanOnlyBeRead) {
  const LivePage page(options());
  httplib::Client client("127.0.0.1", page.port());
  EXPECT_EQ(client.Post("/status", "x", "text/plain")->status, 405);
  EXPECT_EQ(client.Delete("/status")->status, 405);
  EXPECT_EQ(client.Put("/", "x", "text/plain")->status, 405);
  EXPECT_EQ(get(page, "/../etc/passwd")->status, 404);
  EXPECT_EQ(get(page, "/nothing")->status, 404);
}

TEST_F(LivePageTest, TellsNothingToAnotherSitesPageOrUnderAnotherName) {
  const LivePage page(options());
  for (const char* path : {"/", "/status", "/events", "/viewers"}) {
    const httplib::Result rebound = get(page, path, {{"Host", "evil.example"}});
    ASSERT_TRUE(rebound) << path;
    EXPECT_EQ(rebound->status, 403) << path;
    EXPECT_THAT(rebound->body, Not(HasSubstr("running")));
  }
  for (const char* path : {"/status", "/events"}) {
    EXPECT_EQ(get(page, path, {{"Origin", "https://evil.example"}})->status, 403) << path;
    EXPECT_EQ(get(page, path, {{"Sec-Fetch-Site", "cross-site"}})->status, 403) << path;
  }
  EXPECT_EQ(get(page, "/", {{"Sec-Fetch-Site", "cross-site"}})->status, 200);  // a link that leads here
}

TEST_F(LivePageTest, WantsItsTokenEverywhereButForHealth) {
  const LivePage page(locked());
  EXPECT_EQ(get(page, "/status")->status, 401);
  EXPECT_EQ(get(page, "/events")->status, 401);
  EXPECT_EQ(get(page, "/status", {{"Authorization", "Bearer 0123456789abcdef012345678x"}})->status, 401);
  EXPECT_EQ(get(page, "/status", {{"Authorization", std::string("Bearer ") + kToken}})->status, 200);
  EXPECT_EQ(get(page, "/healthz")->body, "ok");
  const httplib::Result form = get(page, "/");
  EXPECT_EQ(form->status, 401);
  EXPECT_THAT(form->body, HasSubstr("name=\"token\""));
  httplib::Client client("127.0.0.1", page.port());
  const httplib::Result wrong = client.Post("/token", httplib::Params{{"token", "<script>alert(1)</script>"}});
  EXPECT_EQ(wrong->status, 401);
  EXPECT_THAT(wrong->body, Not(HasSubstr("<script")));
  EXPECT_FALSE(wrong->has_header("Set-Cookie"));
  const httplib::Result right = client.Post("/token", httplib::Params{{"token", kToken}});
  EXPECT_EQ(right->status, 303);
  const std::string cookie = right->get_header_value("Set-Cookie");
  EXPECT_THAT(cookie, HasSubstr("HttpOnly; SameSite=Strict"));
  EXPECT_THAT(cookie, Not(HasSubstr(kToken)));
  EXPECT_EQ(get(page, "/status", {{"Cookie", cookie.substr(0, cookie.find(';'))}})->status, 200);
  // Nor does another site's form type it.
  const httplib::Headers foreign{{"Origin", "https://evil.example"}};
  EXPECT_EQ(client.Post("/token", foreign, httplib::Params{{"token", kToken}})->status, 403);
}

TEST_F(LivePageTest, ElsewhereNeedsAToken) {
  LivePageOptions open = options();
  open.address = "127.0.0.1:0";
  EXPECT_THROW(const LivePage page(open), Error);
}

TEST_F(LivePageTest, APortThatIsTakenIsSaidAndOneThatWasWishedForIsReplaced) {
  const LivePage first(options());
  LivePageOptions second = options();
  second.port = first.port();
  EXPECT_THROW(const LivePage page(second), Error);
  LivePageOptions third = options();
  third.wish = first.port();
  const LivePage page(third);
  EXPECT_NE(page.port(), first.port());
  EXPECT_EQ(get(page, "/status")->status, 200);
}

TEST_F(LivePageTest, TheLastStateIsToldBeforeTheEnd) {
  auto page = std::make_unique<LivePage>(options());
  std::promise<void> seen;
  std::string heard;
  const int port = page->port();
  std::thread viewer([&] {
    httplib::Client client("127.0.0.1", port);
    bool first = true;
    client.Get("/events", [&](const char* data, std::size_t size) {
      heard.append(data, size);
      if (std::exchange(first, false)) seen.set_value();
      return true;
    });
  });
  seen.get_future().wait();
  count_ = 4711;
  page.reset();
  viewer.join();
  EXPECT_THAT(heard, HasSubstr("\"count\":4712"));
}

// A socket that asks for events and never reads.
class SilentViewer {
 public:
  explicit SilentViewer(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int small = 4096;
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    const std::string ask = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    EXPECT_EQ(send(socket_, ask.data(), ask.size(), 0), static_cast<ssize_t>(ask.size()));
  }
  ~SilentViewer() { close(socket_); }
  SilentViewer(const SilentViewer&) = delete;
  SilentViewer& operator=(const SilentViewer&) = delete;

 private:
  int socket_;
};

TEST_F(LivePageTest, ViewersThatDoNotReadHoldUpNobodyAndLoseTheirPlace) {
  filling_ = "\"" + std::string(std::size_t{4} << 20, 'x') + "\"";  // more than a connection buffers
  LivePageOptions impatient = options();
  impatient.patience_seconds = 1;
  const LivePage page(impatient);
  std::vector<std::unique_ptr<SilentViewer>> silent;
  bool full = false;
  // On a busy machine the first of them have lost their places before the last have come: then all come again.
  for (int attempt = 0; attempt < 30 && !full; ++attempt) {
    silent.clear();
    for (int k = 0; k < 12; ++k) silent.push_back(std::make_unique<SilentViewer>(page.port()));
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(900);
    while (!full && std::chrono::steady_clock::now() < until) full = get(page, "/viewers")->status == 503;
  }
  ASSERT_TRUE(full);
  const httplib::Result crowded = get(page, "/events");
  EXPECT_EQ(crowded->status, 503);
  EXPECT_EQ(get(page, "/status")->status, 200);  // texts are answered all the same
  while (get(page, "/viewers")->status != 200) {
  }
  EXPECT_THAT(events_until(page, "\"count\""), HasSubstr("event: whole"));
}

TEST_F(LivePageTest, WithoutAViewerNothingIsComputed) {
  const LivePage page(options());
  EXPECT_EQ(get(page, "/status")->status, 200);
  EXPECT_EQ(get(page, "/")->status, 200);
  EXPECT_EQ(count_, 0);
}

}  // namespace
}  // namespace fedstein
