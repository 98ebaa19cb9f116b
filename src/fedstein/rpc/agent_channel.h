// SPDX-License-Identifier: Apache-2.0
// An agent's gRPC channel: calls with a deadline, and the line of letters.
#pragma once

#include <federation.grpc.pb.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <mutex>

#include "fedstein/rpc/caller.h"
#include "fedstein/rpc/grpc_agent_link.h"
#include "fedstein/rpc/grpc_log.h"
#include "fedstein/rpc/wire.h"

namespace fedstein {

// TurnedAway for what the server would refuse again, LineLost for everything else.
[[noreturn]] void throw_for(const grpc::Status& status);

class GrpcAgentLink::Channel {
 public:
  explicit Channel(const AgentLinkOptions& options);

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
    if (!status.ok()) throw_for(status);
    return out;
  }

  void attend(Index agent, const v1::Attendance& attendance);
  Letter next();
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
  void wait_for_connection();
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

}  // namespace fedstein
