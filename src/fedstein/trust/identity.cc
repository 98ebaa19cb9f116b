// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/identity.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "fedstein/trust/openssl_values.h"

namespace fedstein {

void check_identity(const KeyPair& own, const std::string& authority_pem, Role role) {
  const std::string name = facts_of(own.certificate).name;
  const Certificate certificate = certificate_from(own.certificate);
  if (X509_check_private_key(certificate.get(), key_from(own.key).get()) != 1) {
    ERR_clear_error();
    throw TrustError("the private key does not belong to the certificate of '" + name +
                     "'; give the NAME.key that was issued with it");
  }
  const Certificate authority = certificate_from(authority_pem);
  const std::unique_ptr<X509_STORE, Freed<X509_STORE_free>> store(X509_STORE_new());
  const std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>> check(X509_STORE_CTX_new());
  require(store && check && X509_STORE_add_cert(store.get(), authority.get()) == 1 &&
              X509_STORE_CTX_init(check.get(), store.get(), certificate.get(), nullptr) == 1,
          "a certificate cannot be checked");
  const int purpose = role == Role::kServer ? X509_PURPOSE_SSL_SERVER : X509_PURPOSE_SSL_CLIENT;
  require(X509_STORE_CTX_set_purpose(check.get(), purpose) == 1, "a certificate's purpose cannot be checked");
  if (X509_verify_cert(check.get()) == 1) return;
  const int problem = X509_STORE_CTX_get_error(check.get());
  ERR_clear_error();
  if (problem == X509_V_ERR_INVALID_PURPOSE) {
    throw TrustError("the certificate of '" + name + "' is not " +
                     (role == Role::kServer ? "a server's" : "an agent's") + "; `fedstein ca issue` makes " +
                     (role == Role::kServer ? "one with --server" : "them without --server"));
  }
  throw TrustError("the certificate of '" + name + "' does not hold before the authority '" +
                   facts_of(authority_pem).name + "': " + X509_verify_cert_error_string(problem));
}

}  // namespace fedstein
