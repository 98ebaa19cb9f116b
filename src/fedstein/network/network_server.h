// SPDX-License-Identifier: Apache-2.0
// A federation's server on the network: everything that `fedstein serve` does besides parsing and printing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fedstein/rpc/rpc_server.h"
#include "fedstein/serving/federation_server.h"

namespace fedstein {

struct NetworkServerOptions {
  FederationServerOptions server = {};
  bool insecure = false;  // no certificates: agents name themselves, and the address must be this machine's own
  std::function<std::int64_t()> now = {};  // the clock that certificates are judged by; none: the system's
};

class NetworkServer {
 public:
  // Opens the state folder and listens at the address that [server] gives. Throws what FederationServer and RpcServer
  // throw, and InvalidArgument for certificates that are missing.
  explicit NetworkServer(FederationPlan federation, NetworkServerOptions options = {});

  // Waits for all agents, does the rounds that are left, says goodbye. Throws ServingStopped after stop(). Once.
  ServedRun run() { return server_.run(); }
  // From any thread.
  void stop() { server_.desk().stop(); }

  // Where agents reach it: the address asked for, with the port that was given.
  std::string address() const;
  int port() const { return door_.port(); }
  FederationServer& server() { return server_; }
  const FederationServer& server() const { return server_; }
  const RpcServer& door() const { return door_; }
  // Why nobody can be served at the moment; empty: all is well.
  std::string trouble() const;

 private:
  NetworkServer(FederationPlan federation, NetworkServerOptions options, RpcServerOptions door);

  FederationServer server_;
  RpcServer door_;  // closes first
};

}  // namespace fedstein
