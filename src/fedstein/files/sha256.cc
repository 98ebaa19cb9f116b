// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <new>
#include <stdexcept>

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

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
}

std::string Sha256::hex() && {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(state_->context, digest.data(), &size));
  std::string out;
  for (unsigned int i = 0; i < size; ++i) out += {kDigits[digest[i] >> 4U], kDigits[digest[i] & 15U]};
  return out;
}

}  // namespace fedstein
