// SPDX-License-Identifier: Apache-2.0
// What callers may cost the server before anybody knows who they are.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>

namespace fedstein {

struct ServerCosts {
  std::int64_t most_message_bytes = 0;
  std::size_t agents = 1;
  std::size_t connections_each = 8;
  double handshake_seconds = 10;
};

// What a connection may send beyond the messages of its calls before it is closed: a message of which nobody knows yet
// that it is too large.
std::int64_t most_unasked_bytes(std::int64_t most_message_bytes);

// Messages, streams, headers, pings, compression and memory, as settings of a server that is about to be built.
void bound_costs(grpc::ServerBuilder& builder, const ServerCosts& costs);

}  // namespace fedstein
