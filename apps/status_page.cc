// SPDX-License-Identifier: Apache-2.0
#include "status_page.h"

#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "fedstein/rpc/rpc_server.h"

namespace fedstein {
namespace {

// Callers that hold a connection and say nothing take no more than these; the others wait in the system's queue, where
// they cost no descriptor.
constexpr std::size_t kThreads = 16;
constexpr std::size_t kMostConnections = 32;

class BoundedThreads : public httplib::ThreadPool {
 public:
  BoundedThreads() : httplib::ThreadPool(kThreads) {}
  void enqueue(std::function<void()> work) override {
    std::unique_lock lock(mutex_);
    fewer_.wait(lock, [&] { return under_way_ < kMostConnections; });
    ++under_way_;
    httplib::ThreadPool::enqueue([this, work = std::move(work)] {
      work();
      const std::lock_guard end(mutex_);
      --under_way_;
      fewer_.notify_one();
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable fewer_;
  std::size_t under_way_ = 0;
};

void bound_costs(httplib::Server& http) {
  constexpr time_t kSeconds = 1;
  constexpr std::size_t kMostBytes = 4096;  // nothing of use is ever sent here
  http.new_task_queue = [] { return new BoundedThreads; };
  http.set_read_timeout(kSeconds);
  http.set_write_timeout(kSeconds);
  http.set_keep_alive_timeout(kSeconds);
  http.set_payload_max_length(kMostBytes);
}

}  // namespace

class StatusPage::Server {
 public:
  Server(int port, const std::function<ServerReport()>& report, const std::function<std::string()>& health) {
    bound_costs(http_);
    http_.Get("/status", [report](const httplib::Request&, httplib::Response& response) {
      response.set_content(report_json(report()), "application/json");
    });
    http_.Get("/metrics", [report](const httplib::Request&, httplib::Response& response) {
      response.set_content(report_metrics(report()), "text/plain; version=0.0.4");
    });
    http_.Get("/healthz", [health](const httplib::Request&, httplib::Response& response) {
      constexpr int kUnavailable = 503;
      const std::string trouble = health();
      if (!trouble.empty()) response.status = kUnavailable;
      response.set_content((trouble.empty() ? "ok" : trouble) + "\n", "text/plain");
    });
    // The library's own choice is to share a port that another server listens at.
    http_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    port_ = port == 0 ? http_.bind_to_any_port("127.0.0.1") : http_.bind_to_port("127.0.0.1", port) ? port : -1;
    if (port_ <= 0) {
      throw AddressUnavailable("metrics_port " + std::to_string(port) + " of this machine is taken; give another one");
    }
    thread_ = std::thread([this] { http_.listen_after_bind(); });
  }
  ~Server() {
    // stop() before the loop runs would be lost.
    while (!http_.is_running()) std::this_thread::yield();
    http_.stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  int port() const { return port_; }

 private:
  httplib::Server http_;
  int port_ = 0;
  std::thread thread_;
};

StatusPage::StatusPage(int port, std::function<ServerReport()> report, std::function<std::string()> health)
    : server_(std::make_unique<Server>(port, report, health)) {}
StatusPage::~StatusPage() = default;
int StatusPage::port() const {
  return server_->port();
}

std::string fetch_status(int port, const std::string& page) {
  httplib::Client client("127.0.0.1", port);
  client.set_connection_timeout(5);
  const httplib::Result result = client.Get(page.c_str());
  if (!result || result->status != 200) {
    throw AddressUnavailable("status: no server answers at port " + std::to_string(port) +
                             " of this machine; the server's table [server] must have metrics_port = " +
                             std::to_string(port) + " (it has no status page without that key)");
  }
  return result->body;
}

}  // namespace fedstein
