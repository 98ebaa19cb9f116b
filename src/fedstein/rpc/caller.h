// SPDX-License-Identifier: Apache-2.0
// Who is calling: the one place where a certificate becomes an agent's number.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <optional>
#include <string>

#include "fedstein/rpc/server_desk.h"
#include "fedstein/trust/revocation.h"

namespace fedstein {

// The name by which a caller goes without TLS; on loopback only.
inline constexpr const char* kInsecureNameHeader = "fedstein-agent";

class CallerCheck {
 public:
  using OnRefusal = std::function<void(const std::string& who, const std::string& why)>;
  // An agent has called from there, with a message of that size; at every call, from any thread.
  using OnAgent = std::function<void(const std::string& peer, Index agent, std::int64_t bytes)>;
  // list: null when callers are not asked for certificates.
  CallerCheck(ServerDesk& desk, const RevocationList* list, OnRefusal on_refusal, OnAgent on_agent);

  struct Caller {
    grpc::Status status = grpc::Status::OK;
    Index agent = -1;
    CertificateFacts certificate = {};
  };
  // At every call. A caller that is nobody's agent, expired or revoked is counted and refused.
  Caller identify(const grpc::ServerContextBase& context, std::int64_t bytes) const;
  // The same certificate, later on the same line.
  std::string objection(const CertificateFacts& certificate) const;

  // A refusal of one call: counted, told, and as a status.
  grpc::Status refuse(std::optional<Index> agent,
                      const std::string& kind,
                      const std::string& why,
                      grpc::StatusCode code) const;

 private:
  ServerDesk& desk_;
  const RevocationList* list_;
  OnRefusal on_refusal_;
  OnAgent on_agent_;
};

}  // namespace fedstein
