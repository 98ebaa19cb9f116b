// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/service_line.h"

#include <utility>

#include "fedstein/rpc/wire.h"

namespace fedstein {

void ServiceLine::start(const grpc::CallbackServerContext& context, const v1::Attendance& attendance) {
  self_ = shared_from_this();
  grpc::Status status = grpc::Status::OK;
  try {
    status = attend(context, attendance);
  } catch (const MalformedMessage& error) {
    status = callers_.refuse(caller_.agent, "malformed", error.what(), grpc::StatusCode::INVALID_ARGUMENT);
  } catch (const std::exception& error) {
    status = {grpc::StatusCode::UNAVAILABLE, error.what()};
  }
  if (status.ok()) return;
  const std::lock_guard lock(mutex_);
  ending_ = true;
  last_words_ = status;
  advance();
}

grpc::Status ServiceLine::attend(const grpc::CallbackServerContext& context, const v1::Attendance& attendance) {
  caller_ = callers_.identify(context, static_cast<std::int64_t>(attendance.ByteSizeLong()));
  if (!caller_.status.ok()) return caller_.status;
  if (!callers_.may_attend(caller_.agent)) {
    return callers_.refuse(
        caller_.agent, "rate", "it says hello too often; let it wait a moment", grpc::StatusCode::UNAVAILABLE);
  }
  const auto refused = [&](const std::string& why) {
    return callers_.refuse(caller_.agent, "hello", why, grpc::StatusCode::FAILED_PRECONDITION);
  };
  if (const std::string why = objection_to(attendance.introduction()); !why.empty()) return refused(why);
  desk_.count_bytes(caller_.agent, static_cast<std::int64_t>(attendance.ByteSizeLong()), 0);
  const auto denial = desk_.attend(caller_.agent, facts_in(attendance), hello_in(attendance), shared_from_this());
  if (!denial) return grpc::Status::OK;
  if (denial->kind == Denial::Kind::kLater) return {grpc::StatusCode::UNAVAILABLE, denial->reason};
  return refused(denial->reason);
}

void ServiceLine::push(const Letter& letter) {
  const std::lock_guard lock(mutex_);
  if (ending_) return;
  // An open line is no licence: whoever was revoked since gets nothing more.
  if (const Objection found = callers_.objection(caller_.certificate); found.kind != Objection::Kind::kNone) {
    ending_ = true;
    last_words_ = {CallerCheck::code_of(found), found.reason};
  } else {
    encode(letter, waiting_.emplace_back());
  }
  advance();
}

void ServiceLine::hang_up() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  // Letters that nobody will read hold no memory; the one that is being written belongs to gRPC.
  while (waiting_.size() > (writing_ ? 1U : 0U)) waiting_.pop_back();
  advance();
}

void ServiceLine::advance() {
  if (writing_ || ended_) return;
  if (ending_) {
    ended_ = true;
    Finish(last_words_);
  } else if (!waiting_.empty()) {
    writing_ = true;
    StartWrite(&waiting_.front());
  }
}

void ServiceLine::OnWriteDone(bool ok) {
  std::int64_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    bytes = static_cast<std::int64_t>(waiting_.front().ByteSizeLong());
    waiting_.pop_front();
    if (!ok) ending_ = true;
    advance();
  }
  desk_.count_bytes(caller_.agent, 0, bytes);
}

void ServiceLine::OnCancel() {
  hang_up();
}

void ServiceLine::OnDone() {
  if (caller_.agent >= 0) desk_.detach(caller_.agent, this);
  self_.reset();  // perhaps the last reference: nothing of this object may be used below
}

}  // namespace fedstein
