// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/revocation_facts.h"

#include <openssl/x509v3.h>

#include <algorithm>

#include "fedstein/base/text.h"
#include "fedstein/trust/certificate.h"
#include "fedstein/trust/openssl_values.h"

namespace fedstein {
namespace {

std::int64_t number_of(const X509_CRL* list) {
  const std::unique_ptr<ASN1_INTEGER, Freed<ASN1_INTEGER_free>> number(
      static_cast<ASN1_INTEGER*>(X509_CRL_get_ext_d2i(list, NID_crl_number, nullptr, nullptr)));
  if (!number) return -1;
  std::int64_t out = -1;
  require(ASN1_INTEGER_get_int64(&out, number.get()) == 1 && out >= 0, "the revocation list has a number out of range");
  return out;
}

}  // namespace

RevocationFacts revocation_facts(const std::string& list_pem, const std::string& authority_pem) {
  const RevocationFile list = list_from(list_pem);
  const Certificate authority = certificate_from(authority_pem);
  require(X509_CRL_verify(list.get(), X509_get0_pubkey(authority.get())) == 1,
          "the revocation list is not signed by this authority");
  RevocationFacts out;
  STACK_OF(X509_REVOKED)* entries = X509_CRL_get_REVOKED(list.get());
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i) {
    out.serials.insert(hexadecimal(X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, i))));
  }
  out.number = number_of(list.get());
  out.this_update = seconds_of(X509_CRL_get0_lastUpdate(list.get()));
  const ASN1_TIME* next = X509_CRL_get0_nextUpdate(list.get());
  if (next != nullptr) out.next_update = seconds_of(next);
  return out;
}

std::string rollback(const RevocationFacts& current, const RevocationFacts& next) {
  const auto refuse = [](const std::string& what) {
    return "the revocation list is older than the one in force: " + what;
  };
  if (current.number >= 0 && next.number < 0) {
    return refuse("it has no number, the one in force has number " + std::to_string(current.number));
  }
  const bool numbered = current.number >= 0 && next.number >= 0;
  if (numbered && next.number != current.number) {
    return next.number > current.number ? std::string()
                                        : refuse("its number is " + std::to_string(next.number) + ", not above " +
                                                 std::to_string(current.number));
  }
  if (next.this_update < current.this_update) {
    return refuse("it was issued at " + utc_text(next.this_update) + ", not after " + utc_text(current.this_update));
  }
  // Issued in the same second, or under the same number: the one that says more is the later one.
  const bool says_more =
      std::includes(next.serials.begin(), next.serials.end(), current.serials.begin(), current.serials.end());
  if (says_more || (!numbered && next.this_update > current.this_update)) return {};
  return refuse("it lacks certificates that the one in force revokes");
}

}  // namespace fedstein
