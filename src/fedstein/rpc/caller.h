// SPDX-License-Identifier: Apache-2.0
// Who is calling: the one place where a certificate becomes an agent's number.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "fedstein/exchange/reception.h"
#include "fedstein/rpc/call_rate.h"
#include "fedstein/trust/revocation.h"

namespace fedstein {

// The name by which a caller goes without TLS; on loopback only.
inline constexpr const char* kInsecureNameHeader = "fedstein-agent";

class CallerCheck {
 public:
  // An agent has called from there, with a message of that size; at every call, from any thread.
  using OnAgent = std::function<void(const std::string& peer, Index agent, std::int64_t bytes)>;
  // list: null when callers are not asked for certificates.
  CallerCheck(Reception& desk, const RevocationList* list, OnAgent on_agent);

  struct Caller {
    grpc::Status status = grpc::Status::OK;
    Index agent = -1;
    CertificateFacts certificate = {};
  };
  // At every call. A caller that is nobody's agent, expired or revoked is counted and refused.
  Caller identify(const grpc::ServerContextBase& context, std::int64_t bytes) const;
  // For a hello, once it is known whose: whether the agent may say so many.
  bool may_attend(Index agent) const { return hellos_.allows(agent); }
  // The same certificate, later on the same line.
  Objection objection(const CertificateFacts& certificate) const;
  // What may pass is UNAVAILABLE, which agents take as a reason to come again.
  static grpc::StatusCode code_of(const Objection& objection);

  // Why no call of this agent would be taken: the certificate that it came with last is revoked. Empty: nothing is
  // known against it.
  std::string bar(Index agent) const;

  // A refusal of one call: counted, told, and as a status.
  grpc::Status refuse(std::optional<Index> agent,
                      const std::string& kind,
                      const std::string& why,
                      grpc::StatusCode code) const;

 private:
  void remember(Index agent, const CertificateFacts& certificate, bool good) const;

  Reception& desk_;
  const RevocationList* list_;
  OnAgent on_agent_;
  // Far above what an honest agent of the fastest federation needs, far below what would keep a server from the others.
  // A hello costs more than a call: it may end in a write to disk.
  mutable CallRate calls_{4000, 1000};
  mutable CallRate hellos_{200, 20};
  // The last certificate of each agent that was good when it came, or, before the first such one, whichever came. A
  // revoked one that is still used beside its successor does not matter.
  struct Known {
    CertificateFacts certificate = {};
    bool good = false;
  };
  mutable std::mutex mutex_;
  mutable std::map<Index, Known> known_;
};

}  // namespace fedstein
