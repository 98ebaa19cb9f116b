// SPDX-License-Identifier: Apache-2.0
// What RpcServer's options mean for its parts.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "fedstein/rpc/caller.h"
#include "fedstein/rpc/rpc_server.h"

namespace fedstein {

// Throws InvalidArgument and TrustError for an address or an identity that cannot be served with.
std::shared_ptr<grpc::ServerCredentials> server_credentials(const RpcServerOptions& options);
// Trouble with the list is told to the desk, which is borrowed.
RevocationOptions revocation_options(const ServerTrust& trust, Reception& desk);
DoorLimits door_limits(const RpcServerOptions& options, std::size_t agents);

}  // namespace fedstein
