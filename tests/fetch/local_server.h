// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <httplib.h>

#include <string>
#include <thread>

namespace fedstein {

// A real HTTP server on a port of this machine, gone with the object. Handlers are set before start().
template <typename Server = httplib::Server>
class LocalServer {
 public:
  template <typename... Arguments>
  explicit LocalServer(Arguments... arguments) : server_(arguments...) {}
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  ~LocalServer() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  Server& routes() { return server_; }
  void start() {
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  std::string address(const std::string& target, const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port_) + target;
  }

 private:
  Server server_;
  std::thread thread_;
  int port_ = 0;
};

}  // namespace fedstein
