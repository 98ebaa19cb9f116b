// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/sha256.h"

#include <openssl/evp.h>

#include <new>
#include <stdexcept>
#include <utility>

namespace fedstein {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

namespace {

void require(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL cannot compute SHA-256 on this machine");
}

}  // namespace

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr) throw std::bad_alloc();
  require(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
}

Sha256Digest Sha256::digest() && {
  Sha256Digest out{};
  require(EVP_DigestFinal_ex(state_->context, out.data(), nullptr));
  return out;
}

std::string Sha256::hex() && {
  return hexadecimal(std::move(*this).digest());
}

std::string hexadecimal(const Sha256Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : digest) out += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  return out;
}

}  // namespace fedstein
