// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/openssl_values.h"

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <array>
#include <ctime>

#include "fedstein/trust/certificate.h"

namespace fedstein {

void fail_openssl(const std::string& what) {
  std::array<char, 256> words{};
  const unsigned long code = ERR_get_error();
  ERR_error_string_n(code, words.data(), words.size());
  ERR_clear_error();
  throw TrustError(what + (code == 0 ? "" : " (" + std::string(words.data()) + ")"));
}

void require(bool holds, const std::string& what) {
  if (!holds) fail_openssl(what);
}

Bio reading(const std::string& bytes) {
  return Bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

std::string contents(const Bio& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

Certificate certificate_from(const std::string& pem) {
  Certificate out(PEM_read_bio_X509(reading(pem).get(), nullptr, nullptr, nullptr));
  require(out != nullptr, "not a certificate in PEM form");
  return out;
}

PrivateKey key_from(const std::string& pem) {
  PrivateKey out(PEM_read_bio_PrivateKey(reading(pem).get(), nullptr, nullptr, nullptr));
  require(out != nullptr, "not a private key in PEM form");
  return out;
}

RevocationFile list_from(const std::string& pem) {
  RevocationFile out(PEM_read_bio_X509_CRL(reading(pem).get(), nullptr, nullptr, nullptr));
  require(out != nullptr, "not a revocation list in PEM form");
  return out;
}

std::string pem_of(const Certificate& certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_X509(bio.get(), certificate.get()) == 1, "a certificate cannot be written");
  return contents(bio);
}

std::string pem_of(const PrivateKey& key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
          "a private key cannot be written");
  return contents(bio);
}

std::string pem_of(const RevocationFile& list) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_X509_CRL(bio.get(), list.get()) == 1, "a revocation list cannot be written");
  return contents(bio);
}

std::string hexadecimal(const ASN1_INTEGER* number) {
  const std::unique_ptr<BIGNUM, Freed<BN_free>> value(ASN1_INTEGER_to_BN(number, nullptr));
  char* digits = BN_bn2hex(value.get());
  std::string out(digits);
  OPENSSL_free(digits);
  return out;
}

std::int64_t seconds_of(const ASN1_TIME* time) {
  std::tm parts = {};
  require(ASN1_TIME_to_tm(time, &parts) == 1, "a time cannot be read");
  return static_cast<std::int64_t>(timegm(&parts));
}

}  // namespace fedstein
