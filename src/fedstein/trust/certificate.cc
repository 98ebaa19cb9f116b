// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/certificate.h"

#include <array>

#include "fedstein/files/plain_name.h"
#include "fedstein/trust/openssl_values.h"

namespace fedstein {

CertificateFacts facts_of(const std::string& certificate_pem) {
  const Certificate certificate = certificate_from(certificate_pem);
  std::array<char, 256> name{};
  const int length = X509_NAME_get_text_by_NID(
      X509_get_subject_name(certificate.get()), NID_commonName, name.data(), static_cast<int>(name.size()));
  require(length > 0, "a certificate without a common name");
  CertificateFacts facts;
  facts.name.assign(name.data(), static_cast<std::size_t>(length));
  facts.serial = hexadecimal(X509_get0_serialNumber(certificate.get()));
  facts.not_before = seconds_of(X509_get0_notBefore(certificate.get()));
  facts.not_after = seconds_of(X509_get0_notAfter(certificate.get()));
  return facts;
}

void check_name(const std::string& name) {
  if (!is_plain_name(name)) throw TrustError("'" + name + "' cannot be a name; allowed are " + kPlainNameRule);
}

}  // namespace fedstein
