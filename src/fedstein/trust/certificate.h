// SPDX-License-Identifier: Apache-2.0
// Certificates as the federation sees them: a name, a number, a time, and the text (PEM) that proves it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fedstein/base/error.h"

namespace fedstein {

// A certificate, key or list that cannot be read, made or trusted.
class TrustError : public ErrorOf<ErrorKind::kData> {
 public:
  using ErrorOf::ErrorOf;
};

// What a certificate says. Reading it proves nothing: whoever took it over TLS has checked the signature.
struct CertificateFacts {
  std::string name = {};        // common name: the agent's identity
  std::string serial = {};      // hexadecimal, upper case
  std::int64_t not_before = 0;  // seconds since 1970
  std::int64_t not_after = 0;
};
CertificateFacts facts_of(const std::string& certificate_pem);

// What a key's owner may do; OpenSSL's purpose checks enforce it on both sides of a connection.
enum class Role { kServer, kAgent };

// A certificate with its private key, both PEM.
struct KeyPair {
  std::string certificate = {};
  std::string key = {};
};

// Names that may stand in a certificate and in a file name: letters, digits, '.', '-', '_', not starting with '.' or
// '-', at most 63. Throws TrustError.
void check_name(const std::string& name);

}  // namespace fedstein
