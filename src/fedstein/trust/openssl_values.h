// SPDX-License-Identifier: Apache-2.0
// OpenSSL's objects as values that free themselves, and the few conversions that the folder needs.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <cstdint>
#include <memory>
#include <string>

namespace fedstein {

template <auto kFree>
struct Freed {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using RevocationFile = std::unique_ptr<X509_CRL, Freed<X509_CRL_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

// Throws TrustError with `what` and OpenSSL's own words.
[[noreturn]] void fail_openssl(const std::string& what);
void require(bool holds, const std::string& what);

Bio reading(const std::string& bytes);
std::string contents(const Bio& bio);

Certificate certificate_from(const std::string& pem);
std::string pem_of(const Certificate& certificate);
PrivateKey key_from(const std::string& pem);
std::string pem_of(const PrivateKey& key);
RevocationFile list_from(const std::string& pem);
std::string pem_of(const RevocationFile& list);

std::string hexadecimal(const ASN1_INTEGER* number);
std::int64_t seconds_of(const ASN1_TIME* time);  // since 1970

}  // namespace fedstein
