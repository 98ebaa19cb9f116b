// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/revocation.h"

#include <sys/stat.h>

#include <ctime>
#include <utility>

#include "fedstein/files/read_file.h"
#include "fedstein/trust/openssl_values.h"

namespace fedstein {
namespace {

// Changes whenever the file does: it is replaced by a rename, which gives it another inode.
std::string stamp_of(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) return {};
  return std::to_string(facts.st_ino) + ":" + std::to_string(facts.st_size) + ":" +
         std::to_string(facts.st_mtim.tv_sec) + ":" + std::to_string(facts.st_mtim.tv_nsec);
}

}  // namespace

std::set<std::string> revoked_serials(const std::string& list_pem, const std::string& authority_pem) {
  const RevocationFile list = list_from(list_pem);
  const Certificate authority = certificate_from(authority_pem);
  require(X509_CRL_verify(list.get(), X509_get0_pubkey(authority.get())) == 1,
          "the revocation list is not signed by this authority");
  std::set<std::string> out;
  STACK_OF(X509_REVOKED)* entries = X509_CRL_get_REVOKED(list.get());
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i) {
    out.insert(hexadecimal(X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, i))));
  }
  return out;
}

RevocationList::RevocationList(std::string list_path, std::string authority_pem)
    : path_(std::move(list_path)), authority_(std::move(authority_pem)) {
  const std::lock_guard lock(mutex_);
  refresh();
}

void RevocationList::refresh() const {
  const std::string stamp = stamp_of(path_);
  if (!stamp.empty() && stamp == stamp_) return;
  stamp_.clear();  // stays so when the list turns out to be unreadable
  revoked_ = revoked_serials(read_file(path_), authority_);
  stamp_ = stamp;
}

std::string RevocationList::objection(const CertificateFacts& facts) const {
  const auto now = static_cast<std::int64_t>(std::time(nullptr));
  if (now > facts.not_after) return "the certificate of '" + facts.name + "' has expired";
  if (now < facts.not_before) return "the certificate of '" + facts.name + "' is not yet valid";
  const std::lock_guard lock(mutex_);
  try {
    refresh();
  } catch (const FileError& error) {
    return "nobody can be trusted without the revocation list: " + std::string(error.what());
  } catch (const TrustError& error) {
    return "nobody can be trusted without the revocation list: " + std::string(error.what());
  }
  if (revoked_.contains(facts.serial)) return "the certificate of '" + facts.name + "' is revoked";
  return {};
}

}  // namespace fedstein
