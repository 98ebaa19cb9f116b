// SPDX-License-Identifier: Apache-2.0
#include "status_page.h"

#include <httplib.h>

#include <thread>

#include "fedstein/rpc/rpc_server.h"

namespace fedstein {

class StatusPage::Server {
 public:
  Server(int port, const std::function<ServerReport()>& report) {
    http_.Get("/status", [report](const httplib::Request&, httplib::Response& response) {
      response.set_content(report_json(report()), "application/json");
    });
    http_.Get("/metrics", [report](const httplib::Request&, httplib::Response& response) {
      response.set_content(report_metrics(report()), "text/plain; version=0.0.4");
    });
    http_.Get("/healthz",
              [](const httplib::Request&, httplib::Response& response) { response.set_content("ok\n", "text/plain"); });
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

StatusPage::StatusPage(int port, std::function<ServerReport()> report)
    : server_(std::make_unique<Server>(port, report)) {}
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
                             " of this machine; its metrics_port must be this one");
  }
  return result->body;
}

}  // namespace fedstein
