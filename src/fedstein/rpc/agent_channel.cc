// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/agent_channel.h"

#include <utility>

#include "fedstein/exchange/printable.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/address.h"
#include "fedstein/trust/identity.h"

namespace fedstein {
namespace {

std::shared_ptr<grpc::ChannelCredentials> credentials(const AgentLinkOptions& options) {
  if (options.own.certificate.empty()) {
    check_argument(is_loopback(options.server), "AgentLink", [&] {
      return "without certificates the server is '" + options.server + "'; only loopback addresses are allowed";
    });
    return grpc::InsecureChannelCredentials();
  }
  check_identity(options.own, options.authority, Role::kAgent);
  grpc::SslCredentialsOptions tls;
  tls.pem_root_certs = options.authority;
  tls.pem_private_key = options.own.key;
  tls.pem_cert_chain = options.own.certificate;
  return grpc::SslCredentials(tls);
}

std::shared_ptr<grpc::Channel> channel_of(const AgentLinkOptions& options) {
  constexpr int kFirstBackoffMilliseconds = 50;
  check_address("agent", options.server, 1);
  grpc::ChannelArguments arguments;
  // Agents trust their server, but not with all of their memory. Nothing of ours is sent compressed, and what grows
  // when it is unpacked would pass the cap. gRPC looks at a message's size when it is whole; the quota ends a longer
  // one before that.
  constexpr std::size_t kEverythingElse = 64 << 20;
  grpc::ResourceQuota quota("fedstein agent");
  quota.Resize(static_cast<std::size_t>(options.most_message_bytes) + kEverythingElse);
  arguments.SetResourceQuota(quota);
  arguments.SetMaxReceiveMessageSize(options.most_message_bytes);
  arguments.SetInt(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  arguments.SetInt(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, 1 << GRPC_COMPRESS_NONE);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);  // what is sent again is the session's decision
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstBackoffMilliseconds);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, static_cast<int>(options.most_backoff_seconds * 1000));
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(options.server, credentials(options), arguments);
}

}  // namespace

void throw_for(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::UNIMPLEMENTED:
      throw TurnedAway("the server refuses: " + printable(status.error_message()));
    default:
      throw LineLost(printable(status.error_message()));
  }
}

GrpcAgentLink::Channel::Channel(const AgentLinkOptions& options)
    : options_(options), channel_(channel_of(options)), stub_(v1::Federation::NewStub(channel_)) {}

void GrpcAgentLink::Channel::attend(Index agent, const v1::Attendance& attendance) {
  drop_line();
  wait_for_connection();
  agent_ = agent;
  auto line = std::make_shared<Line>();
  prepare(line->context);
  line->reader = stub_->Attend(&line->context, attendance);
  const std::lock_guard lock(mutex_);
  line_ = std::move(line);
}

Letter GrpcAgentLink::Channel::next() {
  const std::shared_ptr<Line> line = current();
  if (!line) throw LineLost("the line was dropped");
  v1::Letter letter;
  if (line->reader->Read(&letter)) return decode(letter, agent_);
  const grpc::Status status = line->reader->Finish();
  forget(line);
  if (status.ok()) throw LineLost("the server has closed the line");
  throw_for(status);
}

void GrpcAgentLink::Channel::wait_for_connection() {
  constexpr auto kSlice = std::chrono::milliseconds(100);
  constexpr auto kLongest = std::chrono::seconds(2);
  const auto limit = std::chrono::steady_clock::now() + kLongest;
  while (!given_up_ && std::chrono::steady_clock::now() < limit) {
    if (channel_->WaitForConnected(std::chrono::system_clock::now() + kSlice)) return;
  }
  if (given_up_) throw LineLost("the connection was given up");
}

}  // namespace fedstein
