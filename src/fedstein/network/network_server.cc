// SPDX-License-Identifier: Apache-2.0
#include "fedstein/network/network_server.h"

#include <optional>
#include <utility>

#include "fedstein/files/read_file.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

std::optional<ServerTrust> trust_of(const ServerPlan& plan, const NetworkServerOptions& options) {
  if (options.insecure) return std::nullopt;
  require_tls_1_3();
  check_argument(!plan.certificate.empty() && !plan.key.empty() && !plan.authority.empty() && !plan.revocations.empty(),
                 "[server]",
                 "certificate, key, authority and revocations must all be given, or --insecure on loopback");
  return ServerTrust{.own = {read_file(plan.certificate), read_private_file(plan.key)},
                     .authority = read_file(plan.authority),
                     .revocation_list = plan.revocations,
                     .now = options.now};
}

// Certificates are looked at before a state folder is made: a mistake there leaves nothing behind.
FederationPlan with_trust(FederationPlan federation, const NetworkServerOptions& options, RpcServerOptions& door) {
  door.trust = trust_of(federation.server, options);
  door.address = federation.server.address;
  return federation;
}

RpcServerOptions with_size(RpcServerOptions door, const FederationServer& server) {
  door.most_message_bytes = server.most_message_bytes();
  return door;
}

}  // namespace

NetworkServer::NetworkServer(FederationPlan federation, NetworkServerOptions options)
    : NetworkServer(std::move(federation), std::move(options), RpcServerOptions{}) {}

NetworkServer::NetworkServer(FederationPlan federation, NetworkServerOptions options, RpcServerOptions door)
    : server_(with_trust(std::move(federation), options, door), std::move(options.server)),
      door_(with_size(std::move(door), server_), server_.desk()) {}

std::string NetworkServer::address() const {
  const std::string& asked = server_.federation().server.address;
  return asked.substr(0, asked.rfind(':') + 1) + std::to_string(door_.port());
}

std::string NetworkServer::trouble() const {
  const std::string trouble = door_.door().trouble;
  return trouble.empty() ? server_.trouble() : trouble;
}

}  // namespace fedstein
