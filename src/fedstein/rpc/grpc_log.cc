// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/grpc_log.h"

#include <grpc/support/log.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace fedstein {
namespace {

// gRPC has one log for the whole process, so the taps are the process's too.
struct Taps {
  std::mutex mutex = {};
  std::vector<const GrpcLogTap::OnLine*> open = {};
};

Taps& taps() {
  static Taps all;
  return all;
}

void hand_out(gpr_log_func_args* entry) {
  const std::lock_guard lock(taps().mutex);
  for (const GrpcLogTap::OnLine* on_line : taps().open) (*on_line)(entry->message);
}

}  // namespace

GrpcLogTap::GrpcLogTap(OnLine on_line) : on_line_(std::move(on_line)) {
  const std::lock_guard lock(taps().mutex);
  taps().open.push_back(&on_line_);
  gpr_set_log_function(hand_out);
}

GrpcLogTap::~GrpcLogTap() {
  const std::lock_guard lock(taps().mutex);
  std::erase(taps().open, &on_line_);
  if (taps().open.empty()) gpr_set_log_function(nullptr);  // gRPC's own
}

std::string handshake_failure_in(const std::string& line) {
  static const std::string kBeginning = "Handshake failed with";
  const std::size_t start = line.find(kBeginning);
  if (start == std::string::npos) return {};
  // "... fatal error SSL_ERROR_SSL: error:0A000086:SSL routines::certificate verify failed."
  const std::size_t words = line.rfind(':');
  std::string reason = words == std::string::npos || words < start ? line.substr(start) : line.substr(words + 1);
  while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n')) reason.pop_back();
  return reason;
}

}  // namespace fedstein
