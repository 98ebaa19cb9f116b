// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/server_costs.h"

#include <algorithm>
#include <limits>

namespace fedstein {
namespace {

// Messages up to a multiple of the cap are taken in and refused by us, where the caller has a name and the refusal can
// be counted. gRPC refuses longer ones.
constexpr std::int64_t kHardLimitFactor = 4;

// An agent has a line, an upload, a heartbeat and a report under way at most, and calls anew after lost ones.
constexpr int kMostStreams = 16;

// An agent's clocks are its own: pings find machines that are gone without a word. A client's library answers within
// five seconds, even while nobody calls.
constexpr int kPingAfterMilliseconds = 60'000;
constexpr int kPingTimeoutMilliseconds = 20'000;

constexpr int kMostHeaderBytes = 8 << 10;

// What all connections together may hold in messages that are under way. An agent sends one at a time; a second one
// may still be there from a connection that broke; and one agent may be a liar that fills all its connections. Beyond
// it gRPC reads slowly and ends calls, whosoever.
std::int64_t most_memory(const ServerCosts& costs) {
  constexpr std::int64_t kEverythingElse = 128 << 20;
  constexpr std::int64_t kEachAgent = 2 << 20;  // what gRPC sets aside for a connection before it needs it
  const auto agents = static_cast<std::int64_t>(costs.agents);
  return kEverythingElse + agents * (kEachAgent + 2 * costs.most_message_bytes) +
         static_cast<std::int64_t>(costs.connections_each) * most_unasked_bytes(costs.most_message_bytes);
}

// Messages travel as they are. gRPC 1.51 would unpack a compressed one before it looks at its size, and before anybody
// has looked at who sent it.
void refuse_compression(grpc::ServerBuilder& builder) {
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
}

}  // namespace

std::int64_t most_unasked_bytes(std::int64_t most_message_bytes) {
  constexpr std::int64_t kHandshakes = 1 << 20;
  return kHardLimitFactor * most_message_bytes + kHandshakes;
}

void bound_costs(grpc::ServerBuilder& builder, const ServerCosts& costs) {
  constexpr std::int64_t kMostInt = std::numeric_limits<int>::max();
  builder.SetMaxReceiveMessageSize(static_cast<int>(std::min(kMostInt, kHardLimitFactor * costs.most_message_bytes)));
  builder.SetMaxSendMessageSize(-1);
  refuse_compression(builder);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, static_cast<int>(costs.handshake_seconds * 1000));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostStreams);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMostHeaderBytes);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingAfterMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingTimeoutMilliseconds);
  grpc::ResourceQuota quota("fedstein server");
  quota.Resize(static_cast<std::size_t>(most_memory(costs)));
  builder.SetResourceQuota(quota);
}

}  // namespace fedstein
