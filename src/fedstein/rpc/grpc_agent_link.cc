// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/grpc_agent_link.h"

#include <federation.grpc.pb.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <ctime>
#include <mutex>
#include <utility>

#include "fedstein/exchange/printable.h"
#include "fedstein/numeric/check.h"
#include "fedstein/rpc/address.h"
#include "fedstein/rpc/caller.h"
#include "fedstein/rpc/grpc_log.h"
#include "fedstein/rpc/wire.h"
#include "fedstein/trust/identity.h"
#include "fedstein/trust/server_examination.h"

namespace fedstein {
namespace {

constexpr int kExaminationSeconds = 2;

[[noreturn]] void fail(const grpc::Status& status) {
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

class GrpcAgentLink::Channel {
 public:
  explicit Channel(const AgentLinkOptions& options)
      : options_(options), channel_(channel_of(options)), stub_(v1::Federation::NewStub(channel_)) {}

  const AgentLinkOptions& options() const { return options_; }

  template <typename In, typename Out, typename Method>
  Out call(Method method, const In& in) {
    wait_for_connection();
    grpc::ClientContext context;
    prepare(context);
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::milliseconds(static_cast<std::int64_t>(options_.call_seconds * 1000)));
    Out out;
    const grpc::Status status = (stub_.get()->*method)(&context, in, &out);
    if (!status.ok()) fail(status);
    return out;
  }

  void attend(Index agent, const v1::Attendance& attendance) {
    drop_line();
    wait_for_connection();
    agent_ = agent;
    auto line = std::make_shared<Line>();
    prepare(line->context);
    line->reader = stub_->Attend(&line->context, attendance);
    const std::lock_guard lock(mutex_);
    line_ = std::move(line);
  }

  Letter next() {
    const std::shared_ptr<Line> line = current();
    if (!line) throw LineLost("the line was dropped");
    v1::Letter letter;
    if (line->reader->Read(&letter)) return decode(letter, agent_);
    const grpc::Status status = line->reader->Finish();
    forget(line);
    if (status.ok()) throw LineLost("the server has closed the line");
    fail(status);
  }

  void drop_line() {
    if (const auto line = current()) line->context.TryCancel();
  }
  void give_up() {
    given_up_ = true;
    drop_line();
  }

 private:
  struct Line {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::Letter>> reader;
  };
  // gRPC connects only while somebody waits for it: a call that fails fast leaves the attempt standing for seconds.
  // Returns when there is a connection, or when it is time for a call to fail and say why.
  void wait_for_connection() {
    constexpr auto kSlice = std::chrono::milliseconds(100);
    constexpr auto kLongest = std::chrono::seconds(2);
    const auto limit = std::chrono::steady_clock::now() + kLongest;
    while (!given_up_ && std::chrono::steady_clock::now() < limit) {
      if (channel_->WaitForConnected(std::chrono::system_clock::now() + kSlice)) return;
    }
    if (given_up_) throw LineLost("the connection was given up");
  }
  std::shared_ptr<Line> current() {
    const std::lock_guard lock(mutex_);
    return line_;
  }
  void forget(const std::shared_ptr<Line>& line) {
    const std::lock_guard lock(mutex_);
    if (line_ == line) line_.reset();
  }
  void prepare(grpc::ClientContext& context) const {
    if (options_.own.certificate.empty()) context.AddMetadata(kInsecureNameHeader, options_.insecure_name);
  }

  AgentLinkOptions options_;
  GrpcLogTap silence_{[](const std::string&) {}};  // what gRPC complains of comes back as the status of a call
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Federation::Stub> stub_;
  std::atomic<bool> given_up_{false};
  Index agent_ = 0;
  std::mutex mutex_;
  std::shared_ptr<Line> line_;
};

GrpcAgentLink::GrpcAgentLink(const AgentLinkOptions& options) : channel_(std::make_unique<Channel>(options)) {}
GrpcAgentLink::~GrpcAgentLink() {
  channel_->drop_line();
}

const std::string& GrpcAgentLink::server() const {
  return channel_->options().server;
}

LineTrouble GrpcAgentLink::trouble() const {
  using Kind = ServerExamination::Kind;
  const AgentLinkOptions& options = channel_->options();
  const ServerExamination found = examine_server({options.server, options.own, options.authority, kExaminationSeconds});
  if (options.own.certificate.empty()) {
    if (found.kind == Kind::kUnclear || found.kind == Kind::kNoTls) return {};
    return {true, options.server + " asks for certificates; an agent without one works with an insecure server only"};
  }
  switch (found.kind) {
    case Kind::kUntrusted:
      return {true,
              "the certificate of " + options.server + " cannot be believed: " + found.reason +
                  "; the authority must be the one that issued it, and the host one that it names"};
    case Kind::kRefused:
      return {true, options.server + " does not believe our certificate: " + found.reason};
    case Kind::kNoTls:
      return {true,
              options.server + " does not speak TLS (" + found.reason + "); a server with certificates is needed"};
    case Kind::kClocks:
      return {false, found.reason};
    case Kind::kSound:
    case Kind::kUnclear:
      break;
  }
  return {};
}

bool GrpcAgentLink::own_certificate_has_expired() const {
  const KeyPair& own = channel_->options().own;
  return !own.certificate.empty() && std::time(nullptr) > facts_of(own.certificate).not_after;
}

Charter GrpcAgentLink::introduce() {
  const auto out = channel_->call<v1::Introduction, v1::Charter>(&v1::Federation::Stub::Introduce, introduction());
  return {.run = out.run(),
          .agent = out.agent(),
          .agents = out.agents(),
          .document = out.document(),
          .heartbeat_seconds = out.heartbeat_seconds()};
}

void GrpcAgentLink::attend(Index agent, const AgentFacts& facts, const Hello& hello) {
  v1::Attendance attendance;
  encode(facts, hello, attendance);
  attendance.set_instance(channel_->options().instance);
  channel_->attend(agent, attendance);
}

Letter GrpcAgentLink::next() {
  return channel_->next();
}

void GrpcAgentLink::drop_line() {
  channel_->drop_line();
}

void GrpcAgentLink::give_up() {
  channel_->give_up();
}

Standing GrpcAgentLink::upload(const Upload& upload) {
  v1::Reply reply;
  encode(upload, reply);
  return decode(channel_->call<v1::Reply, v1::Standing>(&v1::Federation::Stub::Upload, reply));
}

Standing GrpcAgentLink::ask(const Holding& attempt) {
  v1::Attempt question;
  encode(attempt, question);
  return decode(channel_->call<v1::Attempt, v1::Standing>(&v1::Federation::Stub::Ask, question));
}

bool GrpcAgentLink::beat(Token token) {
  v1::Heartbeat heartbeat;
  heartbeat.set_token(token);
  heartbeat.set_instance(channel_->options().instance);
  return channel_->call<v1::Heartbeat, v1::Pulse>(&v1::Federation::Stub::Beat, heartbeat).current();
}

void GrpcAgentLink::report(const Failure& settling) {
  v1::Tidings tidings;
  encode(settling, *tidings.mutable_settling());
  channel_->call<v1::Tidings, v1::Nothing>(&v1::Federation::Stub::Report, tidings);
}

void GrpcAgentLink::report(const CalibrationCounts& counts) {
  v1::Tidings tidings;
  encode(counts, *tidings.mutable_calibration());
  channel_->call<v1::Tidings, v1::Nothing>(&v1::Federation::Stub::Report, tidings);
}

void GrpcAgentLink::leave() {
  channel_->call<v1::Nothing, v1::Nothing>(&v1::Federation::Stub::Leave, v1::Nothing());
}

}  // namespace fedstein
