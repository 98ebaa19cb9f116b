// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fedstein {

// gRPC writes its complaints to the standard error, in its own words. While there are taps in the process they go to
// the taps instead: libraries do not print.
class GrpcLogTap {
 public:
  using OnLine = std::function<void(const std::string& line)>;
  // on_line is called from any thread, perhaps from inside a call of gRPC: it must not wait for a lock that is held
  // during such calls.
  explicit GrpcLogTap(OnLine on_line);
  ~GrpcLogTap();
  GrpcLogTap(const GrpcLogTap&) = delete;
  GrpcLogTap& operator=(const GrpcLogTap&) = delete;

 private:
  OnLine on_line_;
};

// What a line says about a TLS handshake that failed, in OpenSSL's words; empty: the line is about something else.
std::string handshake_failure_in(const std::string& line);

}  // namespace fedstein
