// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <federation.grpc.pb.h>

#include <deque>
#include <memory>
#include <mutex>

#include "fedstein/rpc/caller.h"

namespace fedstein {

// One call of Attend, as gRPC's callbacks see it and as the desk's PushLine. Keeps itself alive until gRPC is done.
class ServiceLine : public grpc::ServerWriteReactor<v1::Letter>,
                    public PushLine,
                    public std::enable_shared_from_this<ServiceLine> {
 public:
  ServiceLine(Reception& desk, const CallerCheck& callers) : desk_(desk), callers_(callers) {}

  // Begins the call: hello to the desk, or its refusal.
  void start(const grpc::CallbackServerContext& context, const v1::Attendance& attendance);

  void push(const Letter& letter) override;
  void hang_up() override;

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  grpc::Status attend(const grpc::CallbackServerContext& context, const v1::Attendance& attendance);
  void advance();  // with the lock held: the next write, or the end
  void end(const grpc::Status& status);

  Reception& desk_;
  const CallerCheck& callers_;
  CallerCheck::Caller caller_;
  std::shared_ptr<ServiceLine> self_;
  std::mutex mutex_;  // of everything below
  std::deque<v1::Letter> waiting_;
  bool writing_ = false;
  bool ending_ = false;
  bool ended_ = false;
  grpc::Status last_words_ = {grpc::StatusCode::UNAVAILABLE, "the line was closed by the server"};
};

}  // namespace fedstein
