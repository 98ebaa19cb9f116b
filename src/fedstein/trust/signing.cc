// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/signing.h"

#include <arpa/inet.h>
#include <openssl/bn.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>

#include "fedstein/trust/openssl_values.h"

namespace fedstein {
namespace {

constexpr int kSerialBytes = 16;
constexpr long kSecondsPerDay = 24L * 60 * 60;
// Clocks differ: what is issued now must be good at an agent whose clock is a little behind.
constexpr long kClockSlack = 5L * 60;

PrivateKey fresh_key() {
  PrivateKey key(EVP_EC_gen("P-256"));
  require(key != nullptr, "no key could be made");
  return key;
}

void give_serial(X509* certificate) {
  std::array<unsigned char, kSerialBytes> bytes{};
  require(RAND_bytes(bytes.data(), kSerialBytes) == 1, "no random numbers");
  bytes[0] &= 0x7f;  // positive
  bytes[0] |= 0x40;  // and of full length
  const std::unique_ptr<BIGNUM, Freed<BN_free>> number(BN_bin2bn(bytes.data(), kSerialBytes, nullptr));
  require(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr, "no serial number");
}

void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1,
          "a certificate cannot say '" + value + "'");
}

void set_name(X509_NAME* name, const std::string& text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.c_str());
  require(X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, bytes, -1, -1, 0) == 1, "a name is refused");
}

// Everything but issuer, extensions and signature.
Certificate draft(const std::string& name, int days, const PrivateKey& key) {
  Certificate out(X509_new());
  require(out && X509_set_version(out.get(), X509_VERSION_3) == 1, "no certificate could be made");
  give_serial(out.get());
  X509_gmtime_adj(X509_getm_notBefore(out.get()), -kClockSlack + (days < 0 ? days * kSecondsPerDay : 0));
  X509_gmtime_adj(X509_getm_notAfter(out.get()), days * kSecondsPerDay);
  set_name(X509_get_subject_name(out.get()), name);
  require(X509_set_pubkey(out.get(), key.get()) == 1, "a key is refused");
  return out;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
}

std::string alternative_names(const SigningRequest& request) {
  std::string out = "DNS:" + request.name;
  for (const std::string& host : request.hosts) {
    if (host.find_first_of(", :") != std::string::npos && !is_address(host)) {
      throw TrustError("'" + host + "' is neither a host name nor an address");
    }
    out += (is_address(host) ? ",IP:" : ",DNS:") + host;
  }
  return out;
}

}  // namespace

KeyPair self_signed(const std::string& name, int days) {
  const PrivateKey key = fresh_key();
  const Certificate own = draft(name, days, key);
  X509_set_issuer_name(own.get(), X509_get_subject_name(own.get()));
  add_extension(own.get(), own.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(own.get(), own.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(own.get(), own.get(), NID_subject_key_identifier, "hash");
  require(X509_sign(own.get(), key.get(), EVP_sha256()) > 0, "the authority cannot sign itself");
  return {pem_of(own), pem_of(key)};
}

KeyPair signed_by(const KeyPair& authority, const SigningRequest& request) {
  const Certificate issuer = certificate_from(authority.certificate);
  const PrivateKey issuer_key = key_from(authority.key);
  const PrivateKey key = fresh_key();
  const Certificate out = draft(request.name, request.days, key);
  X509_set_issuer_name(out.get(), X509_get_subject_name(issuer.get()));
  X509* certificate = out.get();
  add_extension(certificate, issuer.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(certificate, issuer.get(), NID_key_usage, "critical,digitalSignature");
  add_extension(
      certificate, issuer.get(), NID_ext_key_usage, request.role == Role::kServer ? "serverAuth" : "clientAuth");
  add_extension(certificate, issuer.get(), NID_subject_key_identifier, "hash");
  add_extension(certificate, issuer.get(), NID_authority_key_identifier, "keyid");
  add_extension(certificate, issuer.get(), NID_subject_alt_name, alternative_names(request));
  require(X509_sign(certificate, issuer_key.get(), EVP_sha256()) > 0, "the authority cannot sign");
  return {pem_of(out), pem_of(key)};
}

std::string signed_list(const std::set<std::string>& serials, std::int64_t number, const KeyPair& authority) {
  const Certificate issuer = certificate_from(authority.certificate);
  const RevocationFile list(X509_CRL_new());
  require(list && X509_CRL_set_version(list.get(), X509_CRL_VERSION_2) == 1, "no revocation list could be made");
  X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(issuer.get()));
  const std::unique_ptr<ASN1_TIME, Freed<ASN1_TIME_free>> now(X509_gmtime_adj(nullptr, 0));
  X509_CRL_set1_lastUpdate(list.get(), now.get());
  for (const std::string& serial : serials) {
    BIGNUM* raw = nullptr;
    require(BN_hex2bn(&raw, serial.c_str()) > 0, "'" + serial + "' is no serial number");
    const std::unique_ptr<BIGNUM, Freed<BN_free>> big(raw);
    const std::unique_ptr<ASN1_INTEGER, Freed<ASN1_INTEGER_free>> value(BN_to_ASN1_INTEGER(big.get(), nullptr));
    std::unique_ptr<X509_REVOKED, Freed<X509_REVOKED_free>> entry(X509_REVOKED_new());
    X509_REVOKED_set_serialNumber(entry.get(), value.get());
    X509_REVOKED_set_revocationDate(entry.get(), now.get());
    require(X509_CRL_add0_revoked(list.get(), entry.get()) == 1, "a revocation cannot be listed");
    static_cast<void>(entry.release());  // the list owns it now
  }
  const std::unique_ptr<ASN1_INTEGER, Freed<ASN1_INTEGER_free>> which(ASN1_INTEGER_new());
  require(which && ASN1_INTEGER_set_int64(which.get(), number) == 1 &&
              X509_CRL_add1_ext_i2d(list.get(), NID_crl_number, which.get(), 0, 0) == 1,
          "a revocation list cannot be numbered");
  X509_CRL_sort(list.get());
  require(X509_CRL_sign(list.get(), key_from(authority.key).get(), EVP_sha256()) > 0, "the list cannot be signed");
  return pem_of(list);
}

}  // namespace fedstein
