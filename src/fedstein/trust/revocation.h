// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "fedstein/trust/certificate.h"

namespace fedstein {

// Judges the certificates of callers at every call: a connection that was welcome yesterday is not for that welcome
// today. The list is read again whenever its file changes, so a revocation takes effect with the next call. A list that
// cannot be read, or is not signed by the authority, lets nobody in. For any number of threads.
class RevocationList {
 public:
  RevocationList(std::string list_path, std::string authority_pem);

  // Why a caller with this certificate is not let in now; empty: it is.
  std::string objection(const CertificateFacts& facts) const;
  // Whether the list that is in force names it.
  bool is_revoked(const CertificateFacts& facts) const;

 private:
  void refresh() const;

  std::string path_;
  std::string authority_;
  mutable std::mutex mutex_;
  mutable std::string stamp_;  // of the file as it was read
  mutable std::set<std::string> revoked_;
};

// The serial numbers of a list that the authority has signed. Throws TrustError.
std::set<std::string> revoked_serials(const std::string& list_pem, const std::string& authority_pem);

}  // namespace fedstein
