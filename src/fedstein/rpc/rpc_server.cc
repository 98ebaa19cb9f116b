// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/rpc_server.h"

#include <federation.grpc.pb.h>
#include <grpcpp/grpcpp.h>
#include <cstdlib>

#include "fedstein/base/check.h"
#include "fedstein/rpc/front_door.h"
#include "fedstein/rpc/grpc_log.h"
#include "fedstein/rpc/server_costs.h"
#include "fedstein/rpc/server_setup.h"
#include "fedstein/rpc/service_line.h"
#include "fedstein/rpc/wire.h"

namespace fedstein {
// Every call by gRPC's callbacks: a caller that is slow to send, or to take its answer, holds memory but no thread.
class RpcServer::Service : public v1::Federation::CallbackService {
 public:
  Service(const RpcServerOptions& options, Reception& desk)
      : desk_(desk),
        most_bytes_(options.most_message_bytes),
        credentials_(server_credentials(options)),
        list_(options.trust ? std::make_unique<RevocationList>(revocation_options(*options.trust, desk)) : nullptr),
        agents_(static_cast<std::size_t>(desk.agents())),
        door_(options.address,
              door_limits(options, agents_),
              [&desk](const std::string& sentence) { desk.noticed("connections", sentence); }),
        callers_(
            desk,
            list_.get(),
            [this](const std::string& peer, Index agent, std::int64_t bytes) { door_.called(peer, agent, bytes); }),
        complaints_([this](const std::string& line) {
          const std::string why = handshake_failure_in(line);
          if (why.empty()) return;
          // One of a series is told; the others are in the count that the door gives at its end.
          const std::string reason = "no TLS connection came about: " + why;
          if (door_.count_failed_handshake()) return desk_.refused({}, "tls", reason);
          desk_.refused_again({}, "tls", reason);
        }) {
    grpc::ServerBuilder builder;
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, credentials_);
    bound_costs(builder, {most_bytes_, agents_, options.door.most_per_agent, options.door.unidentified_seconds});
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) throw AddressUnavailable("cannot serve at " + options.address + ": gRPC does not start");
    door_.open([this](int descriptor) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
      connection.fd = descriptor;
      acceptor_->HandleNewConnection(&connection);
    });
    desk_.ask_for_bars([this](Index agent) { return callers_.bar(agent); });
  }
  ~Service() override {
    desk_.ask_for_bars({});
    door_.close();
    // Lines are hung up by the desk's stop(); what still runs after a moment is cut.
    server_->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(500));
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  int port() const { return door_.port(); }
  DoorStatus door() const { return door_.status(); }
  std::string trust_trouble() const { return list_ ? list_->trouble() : std::string(); }

  grpc::ServerWriteReactor<v1::Letter>* Attend(grpc::CallbackServerContext* context,
                                               const v1::Attendance* attendance) override {
    const auto line = std::make_shared<ServiceLine>(desk_, callers_);
    line->start(*context, *attendance);
    return line.get();
  }

  grpc::ServerUnaryReactor* Introduce(grpc::CallbackServerContext* context,
                                      const v1::Introduction* in,
                                      v1::Charter* out) override {
    return answer(*context, *in, *out, [&](Index agent) {
      if (const std::string why = objection_to(*in); !why.empty()) {
        return callers_.refuse(agent, "hello", why, grpc::StatusCode::FAILED_PRECONDITION);
      }
      const Charter charter = desk_.charter(agent);
      out->set_run(charter.run);
      out->set_agent(charter.agent);
      out->set_agents(charter.agents);
      out->set_document(charter.document);
      out->set_heartbeat_seconds(charter.heartbeat_seconds);
      return grpc::Status::OK;
    });
  }

  grpc::ServerUnaryReactor* Upload(grpc::CallbackServerContext* context,
                                   const v1::Upload* in,
                                   v1::Standing* out) override {
    return answer(*context, *in, *out, [&](Index agent) {
      encode(desk_.upload(agent, decode(*in, agent)), *out);
      return grpc::Status::OK;
    });
  }

  grpc::ServerUnaryReactor* Ask(grpc::CallbackServerContext* context,
                                const v1::Attempt* in,
                                v1::Standing* out) override {
    return answer(*context, *in, *out, [&](Index agent) {
      encode(desk_.ask(agent, decode(*in)), *out);
      return grpc::Status::OK;
    });
  }

  grpc::ServerUnaryReactor* Beat(grpc::CallbackServerContext* context,
                                 const v1::Heartbeat* in,
                                 v1::Pulse* out) override {
    return answer(*context, *in, *out, [&](Index agent) {
      out->set_current(desk_.beat(agent, in->token(), in->instance()));
      return grpc::Status::OK;
    });
  }

  grpc::ServerUnaryReactor* Report(grpc::CallbackServerContext* context,
                                   const v1::Tidings* in,
                                   v1::Nothing* out) override {
    return answer(*context, *in, *out, [&](Index agent) {
      std::string why;
      if (in->has_evaluation()) why = desk_.report_evaluation(agent, decode(in->evaluation()));
      if (in->has_settling()) why = desk_.report_failure(agent, decode(in->settling(), agent));
      if (why.empty()) return grpc::Status::OK;
      return callers_.refuse(agent, "report", why, grpc::StatusCode::INVALID_ARGUMENT);
    });
  }

  grpc::ServerUnaryReactor* Leave(grpc::CallbackServerContext* context,
                                  const v1::Nothing* in,
                                  v1::Nothing* out) override {
    return answer(*context, *in, *out, [&](Index agent) {
      desk_.leave(agent);
      return grpc::Status::OK;
    });
  }

 private:
  template <typename In, typename Out, typename Work>
  grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext& context, const In& in, Out& out, const Work& work) {
    grpc::ServerUnaryReactor* reactor = context.DefaultReactor();
    reactor->Finish(status_of(context, in, out, work));
    return reactor;
  }
  // What every call has in common: who is it, is it too large, and what it throws as a status.
  template <typename In, typename Out, typename Work>
  grpc::Status status_of(const grpc::ServerContextBase& context, const In& in, Out& out, const Work& work) {
    const auto bytes = static_cast<std::int64_t>(in.ByteSizeLong());
    const CallerCheck::Caller caller = callers_.identify(context, bytes);
    if (!caller.status.ok()) return caller.status;
    if (bytes > most_bytes_) {
      // Not RESOURCE_EXHAUSTED, which gRPC says by itself when memory is short: that passes, this does not.
      return callers_.refuse(
          caller.agent,
          "size",
          "a message of " + std::to_string(bytes) + " bytes; at most " + std::to_string(most_bytes_) + " are allowed",
          grpc::StatusCode::OUT_OF_RANGE);
    }
    try {
      grpc::Status status = work(caller.agent);
      desk_.count_bytes(caller.agent, bytes, static_cast<std::int64_t>(out.ByteSizeLong()));
      return status;
    } catch (const MalformedMessage& error) {
      return callers_.refuse(caller.agent, "malformed", error.what(), grpc::StatusCode::INVALID_ARGUMENT);
    } catch (const std::exception& error) {
      // The journal cannot be written, most likely: the agent keeps what it has and comes again.
      return {grpc::StatusCode::UNAVAILABLE, error.what()};
    }
  }

  Reception& desk_;
  std::int64_t most_bytes_;
  std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::unique_ptr<RevocationList> list_;
  std::size_t agents_;
  FrontDoor door_;
  CallerCheck callers_;
  GrpcLogTap complaints_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
};

void require_tls_1_3() {
  static const int set = setenv("GRPC_SSL_CIPHER_SUITES", kTls13OnlyCipherSuites, 1);
  check_argument(set == 0, "require_tls_1_3", "GRPC_SSL_CIPHER_SUITES cannot be set");
}

RpcServer::RpcServer(const RpcServerOptions& options, Reception& desk)
    : service_(std::make_unique<Service>(options, desk)) {}
RpcServer::~RpcServer() = default;
int RpcServer::port() const {
  return service_->port();
}
std::string RpcServer::trust_trouble() const {
  return service_->trust_trouble();
}
DoorStatus RpcServer::door() const {
  return service_->door();
}

}  // namespace fedstein
