// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/live_page.h"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "fedstein/base/error.h"
#include "fedstein/live/accepted_connections.h"
#include "fedstein/live/bounded_threads.h"
#include "fedstein/live/live_routes.h"
#include "fedstein/rpc/address.h"

namespace fedstein {
namespace {

constexpr std::size_t kThreads = 20;  // more than viewers can hold: texts are answered whatever they do
constexpr std::size_t kMostConnections = 40;

void bound_costs(httplib::Server& http, time_t patience_seconds) {
  constexpr time_t kSeconds = 1;
  constexpr time_t kIdleSeconds = 3;        // a browser on a busy machine connects long before it asks
  constexpr std::size_t kMostBytes = 4096;  // nothing of use but a token is ever sent here
  http.set_read_timeout(kSeconds);
  http.set_write_timeout(patience_seconds);
  http.set_keep_alive_timeout(kIdleSeconds);
  http.set_payload_max_length(kMostBytes);
}

std::unique_ptr<httplib::Server> over_tls(const LivePageOptions& options) {
  auto out = std::make_unique<httplib::SSLServer>([&](SSL_CTX& context) {
    return SSL_CTX_set_min_proto_version(&context, TLS1_3_VERSION) == 1 &&
           SSL_CTX_use_certificate_chain_file(&context, options.certificate.c_str()) == 1 &&
           SSL_CTX_use_PrivateKey_file(&context, options.key.c_str(), SSL_FILETYPE_PEM) == 1;
  });
  if (!out->is_valid()) {
    throw Error(ErrorKind::kData,
                "live_address: " + options.certificate + " and " + options.key +
                    " are no certificate and key that a page can be served with");
  }
  return out;
}

// One listener, and the thread that accepts its connections.
class Listener {
 public:
  Listener(std::unique_ptr<httplib::Server> http, time_t patience_seconds) : http_(std::move(http)) {
    bound_costs(*http_, patience_seconds);
    http_->new_task_queue = [this] { return new BoundedThreads(kThreads, kMostConnections, connections_); };
    // The library's own choice is to share a port that another server listens at.
    http_->set_socket_options([this](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      socket_ = socket;
    });
  }
  ~Listener() {
    if (!thread_.joinable()) return;
    // stop() before the loop runs would be lost.
    while (!http_->is_running() && !has_ended_) std::this_thread::yield();
    is_stopping_ = true;
    http_->stop();
    thread_.join();
    guard_.join();
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  httplib::Server& http() { return *http_; }
  // Port 0: any. Returns the port; 0: it is not free.
  int bind(const std::string& host, int port) {
    if (port > 0) return http_->bind_to_port(host, port) ? port : 0;
    return std::max(0, http_->bind_to_any_port(host));
  }
  void start() {
    thread_ = std::thread([this] {
      http_->listen_after_bind();
      has_ended_ = true;
    });
    guard_ = std::thread([this, accepted = AcceptedConnections(socket_)] { guard(accepted); });
  }

 private:
  // The library bounds neither the headers that it takes nor the time that it waits for callers at its end.
  void guard(const AcceptedConnections& accepted) const {
    constexpr std::chrono::milliseconds kPause(50);
    constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 10U;  // a browser sends a tenth on one connection
    while (!has_ended_) {
      if (is_stopping_) {
        accepted.end_beyond(0);
      } else if (connections_ > 0) {
        accepted.end_beyond(kMostBytes);
      }
      std::this_thread::sleep_for(kPause);
    }
  }

  std::unique_ptr<httplib::Server> http_;
  socket_t socket_ = INVALID_SOCKET;  // the latest that it has made
  std::atomic<std::size_t> connections_ = 0;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
  std::thread guard_;
};

constexpr const char* kLoopback = "127.0.0.1";

int bind_to_loopback(Listener& listener, const LivePageOptions& options) {
  int port = 0;
  if (options.port == 0 && options.wish > 0) port = listener.bind(kLoopback, options.wish);
  if (port == 0) port = listener.bind(kLoopback, options.port);
  if (port == 0) {
    throw AddressUnavailable(options.port_name + " " + std::to_string(options.port) +
                             " of this machine is taken; give another one");
  }
  return port;
}

void bind_elsewhere(Listener& listener, const std::string& address) {
  check_address("live_address", address, 1);
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (listener.bind(host, std::stoi(address.substr(colon + 1))) == 0) {
    throw AddressUnavailable("live_address: " + address + " is taken, or no address of this machine");
  }
}

}  // namespace

class LivePage::Server {
 public:
  explicit Server(LivePageOptions options)
      : options_(std::move(options)),
        token_(options_.token_file.empty() ? ViewerToken() : ViewerToken::from_file(options_.token_file)),
        sampler_(board_, options_.parts),
        here_(std::make_unique<httplib::Server>(), options_.patience_seconds) {
    if (!options_.address.empty() && !token_.needed()) {
      throw Error(ErrorKind::kConfiguration,
                  "live_address: a page that others than this machine's users can reach needs live_token_file");
    }
    port_ = bind_to_loopback(here_, options_);
    add_live_routes(here_.http(), context(false));
    if (!options_.address.empty()) {
      elsewhere_ = std::make_unique<Listener>(over_tls(options_), options_.patience_seconds);
      bind_elsewhere(*elsewhere_, options_.address);
      add_live_routes(elsewhere_->http(), context(true));
      elsewhere_->start();
    }
    here_.start();
  }
  // Viewers are told the last state first: their calls end with the board.
  ~Server() { sampler_.stop(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }

 private:
  LiveRoutes context(bool tls) { return {&board_, &sampler_, &token_, &options_.texts, tls}; }

  LivePageOptions options_;
  ViewerToken token_;
  Board board_;
  Sampler sampler_;
  int port_ = 0;
  Listener here_;  // listeners end first: their calls use everything above
  std::unique_ptr<Listener> elsewhere_;
};

LivePage::LivePage(LivePageOptions options) : server_(std::make_unique<Server>(std::move(options))) {}
LivePage::~LivePage() = default;

int LivePage::port() const {
  return server_->port();
}

std::string LivePage::url() const {
  return std::string("http://") + kLoopback + ":" + std::to_string(port()) + "/";
}

}  // namespace fedstein
