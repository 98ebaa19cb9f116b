// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/caller.h"

#include <grpc/grpc_security_constants.h>

#include <cmath>
#include <utility>

#include "fedstein/exchange/printable.h"

namespace fedstein {
namespace {

std::string first_value(const std::vector<grpc::string_ref>& values) {
  return values.empty() ? std::string() : std::string(values.front().data(), values.front().size());
}

std::string certificate_of(const grpc::ServerContextBase& context) {
  const auto identity = context.auth_context();
  return identity ? first_value(identity->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME)) : std::string();
}

}  // namespace

CallerCheck::CallerCheck(Reception& desk, const RevocationList* list, OnAgent on_agent)
    : desk_(desk), list_(list), on_agent_(std::move(on_agent)) {}

grpc::Status CallerCheck::refuse(std::optional<Index> agent,
                                 const std::string& kind,
                                 const std::string& why,
                                 grpc::StatusCode code) const {
  desk_.refused(agent, kind, why);
  return {code, printable(why)};
}

Objection CallerCheck::objection(const CertificateFacts& certificate) const {
  return list_ == nullptr ? Objection() : list_->objection(certificate);
}

grpc::StatusCode CallerCheck::code_of(const Objection& objection) {
  return objection.kind == Objection::Kind::kPassing ? grpc::StatusCode::UNAVAILABLE
                                                     : grpc::StatusCode::PERMISSION_DENIED;
}

void CallerCheck::remember(Index agent, const CertificateFacts& certificate, bool good) const {
  const std::lock_guard lock(mutex_);
  Known& known = known_[agent];
  if (good || !known.good) known = {certificate, good};
}

std::string CallerCheck::bar(Index agent) const {
  if (list_ == nullptr) return {};
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(agent);
  if (known == known_.end()) return {};
  Objection found = list_->objection(known->second.certificate);
  return found.kind == Objection::Kind::kFinal ? std::move(found.reason) : std::string();
}

CallerCheck::Caller CallerCheck::identify(const grpc::ServerContextBase& context, std::int64_t bytes) const {
  Caller caller;
  if (list_ == nullptr) {
    const auto& names = context.client_metadata();
    if (const auto found = names.find(kInsecureNameHeader); found != names.end()) {
      caller.certificate.name.assign(found->second.data(), found->second.size());
    }
  } else {
    try {
      caller.certificate = facts_of(certificate_of(context));
    } catch (const TrustError& error) {
      caller.status = refuse({}, "certificate", error.what(), grpc::StatusCode::UNAUTHENTICATED);
      return caller;
    }
  }
  const std::optional<Index> number = desk_.number_of(caller.certificate.name);
  const Objection found = objection(caller.certificate);
  if (number) remember(*number, caller.certificate, found.kind == Objection::Kind::kNone);
  if (found.kind != Objection::Kind::kNone) {
    caller.status = refuse(number, "certificate", found.reason, code_of(found));
  } else if (!number) {
    caller.status =
        refuse({},
               "stranger",
               "'" + printable(caller.certificate.name, 64) +
                   "' is no agent of this federation; the key `agents` of the server's " + "table [server] lists them",
               grpc::StatusCode::PERMISSION_DENIED);
  } else if (!calls_.allows(*number)) {
    caller.status = refuse(
        number,
        "rate",
        "it calls too often; " + std::to_string(std::lround(calls_.per_second())) + " calls a second are allowed",
        grpc::StatusCode::UNAVAILABLE);
  } else {
    caller.agent = *number;
    if (on_agent_) on_agent_(context.peer(), caller.agent, bytes);
  }
  return caller;
}

}  // namespace fedstein
