// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/server_setup.h"

#include "fedstein/numeric/check.h"
#include "fedstein/rpc/address.h"
#include "fedstein/rpc/server_costs.h"
#include "fedstein/trust/identity.h"

namespace fedstein {

std::shared_ptr<grpc::ServerCredentials> server_credentials(const RpcServerOptions& options) {
  check_address("server", options.address, 0);
  if (!options.trust) {
    check_argument(is_loopback(options.address), "RpcServer", [&] {
      return "without certificates the address is '" + options.address + "'; only loopback addresses are allowed";
    });
    return grpc::InsecureServerCredentials();
  }
  check_identity(options.trust->own, options.trust->authority, Role::kServer);
  grpc::SslServerCredentialsOptions tls(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_root_certs = options.trust->authority;
  tls.pem_key_cert_pairs.push_back({options.trust->own.key, options.trust->own.certificate});
  return grpc::SslServerCredentials(tls);
}

RevocationOptions revocation_options(const ServerTrust& trust, Reception& desk) {
  return {.list_path = trust.revocation_list,
          .authority_pem = trust.authority,
          .now = trust.now,
          .on_trouble = [&desk](const std::string& trouble) {
            desk.noticed("revocation list", trouble.empty() ? "the revocation list is in order again" : trouble);
          }};
}

DoorLimits door_limits(const RpcServerOptions& options, std::size_t agents) {
  DoorLimits limits = options.door;
  limits.agents = agents;
  limits.most_unasked_bytes = most_unasked_bytes(options.most_message_bytes);
  limits.most_unidentified += 2 * agents;  // so that all of them may come at once
  return limits;
}

}  // namespace fedstein
