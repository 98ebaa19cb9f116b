// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/trust/certificate.h"

namespace fedstein {

// A federation's own certificate authority: a folder with ca.crt, ca.key, the signed revocation list ca.crl, and a copy
// of every certificate issued. Only ca.crt and ca.crl ever leave it. EC keys on P-256 throughout.
class Authority {
 public:
  // A new authority in a folder that holds none yet; private files get mode 0600. Throws TrustError,
  // AlreadyThere or WriteError.
  static void create(const std::string& folder, const std::string& name, int days);

  explicit Authority(const std::string& folder);

  struct Request {
    std::string name = {};
    Role role = Role::kAgent;
    std::vector<std::string> hosts = {};  // of a server: DNS names and addresses that agents reach it by
    int days = 365;                       // 0 and below: expired already, for tests of refusal
  };
  KeyPair issue(const Request& request) const;

  // Every certificate issued to this name so far is revoked from now on. Returns how many were not before; throws
  // TrustError when none was ever issued to it.
  int revoke(const std::string& name) const;

  struct Issued {
    CertificateFacts facts = {};
    bool revoked = false;
  };
  std::vector<Issued> list() const;  // by name, then oldest first

  std::string certificate() const;  // ca.crt

 private:
  std::string folder_;
};

}  // namespace fedstein
