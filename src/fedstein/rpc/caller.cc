// SPDX-License-Identifier: Apache-2.0
#include "fedstein/rpc/caller.h"

#include <grpc/grpc_security_constants.h>

#include <utility>

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

CallerCheck::CallerCheck(ServerDesk& desk, const RevocationList* list, OnRefusal on_refusal, OnAgent on_agent)
    : desk_(desk), list_(list), on_refusal_(std::move(on_refusal)), on_agent_(std::move(on_agent)) {}

grpc::Status CallerCheck::refuse(std::optional<Index> agent,
                                 const std::string& kind,
                                 const std::string& why,
                                 grpc::StatusCode code) const {
  desk_.count_refusal(agent, kind);
  if (on_refusal_) on_refusal_(agent ? desk_.name_of(*agent) : "a stranger", why);
  return {code, why};
}

std::string CallerCheck::objection(const CertificateFacts& certificate) const {
  return list_ == nullptr ? std::string() : list_->objection(certificate);
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
  if (const std::string why = objection(caller.certificate); !why.empty()) {
    caller.status = refuse(number, "certificate", why, grpc::StatusCode::PERMISSION_DENIED);
  } else if (!number) {
    caller.status =
        refuse({},
               "stranger",
               "'" + caller.certificate.name + "' is no agent of this federation; the key `agents` of the server's " +
                   "table [server] lists them",
               grpc::StatusCode::PERMISSION_DENIED);
  } else {
    caller.agent = *number;
    if (on_agent_) on_agent_(context.peer(), caller.agent, bytes);
  }
  return caller;
}

}  // namespace fedstein
