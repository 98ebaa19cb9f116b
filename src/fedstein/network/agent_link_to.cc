// SPDX-License-Identifier: Apache-2.0
#include "fedstein/network/agent_link_to.h"

#include <random>

#include "fedstein/files/read_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/grpc_agent_link.h"
#include "fedstein/rpc/rpc_server.h"

namespace fedstein {

std::unique_ptr<AgentLink> agent_link_to(const std::string& server, const AgentIdentity& identity) {
  AgentLinkOptions options;
  options.server = server;
  std::random_device random;
  options.instance = (std::uint64_t{random()} << 32) + random() + 1;
  options.insecure_name = identity.insecure_name;
  const bool has_certificate = !identity.certificate.empty() || !identity.key.empty() || !identity.authority.empty();
  if (!identity.insecure_name.empty()) {
    check_argument(!has_certificate, "agent", "--insecure is given with certificates; only one can be meant");
    return std::make_unique<GrpcAgentLink>(options);
  }
  check_argument(!identity.certificate.empty() && !identity.key.empty() && !identity.authority.empty(),
                 "agent",
                 "--certificate, --key and --authority must all be given, or --insecure NAME on loopback");
  require_tls_1_3();
  options.own = {read_file(identity.certificate), read_private_file(identity.key)};
  options.authority = read_file(identity.authority);
  return std::make_unique<GrpcAgentLink>(options);
}

}  // namespace fedstein
