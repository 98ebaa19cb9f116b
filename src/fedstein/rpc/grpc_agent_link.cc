// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/grpc_agent_link.h"

#include <ctime>

#include "fedstein/rpc/agent_channel.h"
#include "fedstein/trust/server_examination.h"

namespace fedstein {
namespace {

constexpr int kExaminationSeconds = 2;

}  // namespace

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
  v1::Upload message;
  encode(upload, message);
  return decode(channel_->call<v1::Upload, v1::Standing>(&v1::Federation::Stub::Upload, message));
}

Standing GrpcAgentLink::ask(const Attempt& attempt) {
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

void GrpcAgentLink::report(const EvaluationReport& report) {
  v1::Tidings tidings;
  encode(report, *tidings.mutable_evaluation());
  channel_->call<v1::Tidings, v1::Nothing>(&v1::Federation::Stub::Report, tidings);
}

void GrpcAgentLink::leave() {
  channel_->call<v1::Nothing, v1::Nothing>(&v1::Federation::Stub::Leave, v1::Nothing());
}

}  // namespace fedstein
