// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/authority.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/trust/revocation_facts.h"
#include "fedstein/trust/signing.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

std::string issued_folder(const std::string& folder) {
  return folder + "/issued";
}

}  // namespace

void Authority::create(const std::string& folder, const std::string& name, int days) {
  check_name(name);
  if (fs::exists(folder + "/ca.key") || fs::exists(folder + "/ca.crt")) {
    throw TrustError(folder + ": holds an authority already; it is never overwritten");
  }
  std::error_code problem;
  fs::create_directories(issued_folder(folder), problem);
  if (problem) throw WriteError(folder + ": cannot be made: " + problem.message());
  fs::permissions(folder, fs::perms::owner_all, problem);
  const KeyPair own = self_signed(name, days);
  write_whole_file(folder + "/ca.crl", signed_list({}, 1, own), {.alone = true});
  write_whole_file(folder + "/ca.crt", own.certificate, {.alone = true});
  // Last: an authority is complete when it has its key.
  write_whole_file(folder + "/ca.key", own.key, {.mode = FileMode::kPrivate, .alone = true});
}

Authority::Authority(const std::string& folder) : folder_(folder) {
  if (!fs::exists(folder + "/ca.key")) {
    throw UnreadableFile(folder + ": holds no certificate authority (no ca.key); `fedstein ca init` makes one");
  }
}

std::string Authority::certificate() const {
  return read_file(folder_ + "/ca.crt");
}

KeyPair Authority::issue(const Request& request) const {
  check_name(request.name);
  const KeyPair own{certificate(), read_private_file(folder_ + "/ca.key")};
  KeyPair issued = signed_by(own, {request.name, request.role, request.hosts, request.days});
  const std::string serial = facts_of(issued.certificate).serial;
  write_whole_file(issued_folder(folder_) + "/" + request.name + "-" + serial + ".crt", issued.certificate);
  return issued;
}

std::vector<Authority::Issued> Authority::list() const {
  const std::set<std::string> revoked = revocation_facts(read_file(folder_ + "/ca.crl"), certificate()).serials;
  std::vector<Issued> out;
  for (const auto& entry : fs::directory_iterator(issued_folder(folder_))) {
    if (entry.path().extension() != ".crt") continue;
    CertificateFacts facts = facts_of(read_file(entry.path().string()));
    const bool is_revoked = revoked.contains(facts.serial);
    out.push_back({std::move(facts), is_revoked});
  }
  std::sort(out.begin(), out.end(), [](const Issued& a, const Issued& b) {
    return std::tie(a.facts.name, a.facts.not_before, a.facts.serial) <
           std::tie(b.facts.name, b.facts.not_before, b.facts.serial);
  });
  return out;
}

int Authority::revoke(const std::string& name) const {
  std::set<std::string> revoked;
  int known = 0;
  int fresh = 0;
  for (const Issued& issued : list()) {
    const bool meant = issued.facts.name == name;
    known += meant ? 1 : 0;
    fresh += meant && !issued.revoked ? 1 : 0;
    if (meant || issued.revoked) revoked.insert(issued.facts.serial);
  }
  if (known == 0) throw TrustError(folder_ + ": no certificate was issued to '" + name + "'");
  const std::int64_t last = revocation_facts(read_file(folder_ + "/ca.crl"), certificate()).number;
  const KeyPair own{certificate(), read_private_file(folder_ + "/ca.key")};
  write_whole_file(folder_ + "/ca.crl",
                   signed_list(revoked, std::max(last, std::int64_t{0}) + 1, own),
                   {.replacing = Replacing::kAnything, .alone = true});
  return fresh;
}

}  // namespace fedstein
