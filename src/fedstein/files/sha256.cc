// SPDX-License-Identifier: Apache-2.0
// Written by hand, in the words of FIPS 180-4, section 6.2: OpenSSL computes it too, but a Python package that carries
// OpenSSL would have to follow every one of its security updates. tests/files compares it with others' results.
#include "fedstein/files/sha256.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace fedstein {
namespace {

using Word = std::uint32_t;
constexpr std::size_t kBlock = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

Word word_at(const unsigned char* bytes) {
  return Word{bytes[0]} << 24U | Word{bytes[1]} << 16U | Word{bytes[2]} << 8U | Word{bytes[3]};
}

}  // namespace

struct Sha256::State {
  // Likewise of the square roots of the first 8 primes.
  std::array<Word, 8> hash = {
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, kBlock> rest = {};  // what does not fill a block yet
  std::size_t rest_size = 0;
  std::uint64_t bytes = 0;

  void take_block(const unsigned char* block) {
    std::array<Word, 64> schedule;
    for (std::size_t t = 0; t < 16; ++t) schedule[t] = word_at(block + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
      const Word early = schedule[t - 15];
      const Word late = schedule[t - 2];
      schedule[t] = schedule[t - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3U) + schedule[t - 7] +
                    (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10U);
    }
    auto [a, b, c, d, e, f, g, h] = hash;
    for (std::size_t t = 0; t < 64; ++t) {
      const Word first =
          h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[t] + schedule[t];
      const Word second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = std::exchange(g, std::exchange(f, std::exchange(e, d + first)));
      d = std::exchange(c, std::exchange(b, std::exchange(a, first + second)));
    }
    const std::array<Word, 8> worked = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += worked[i];
  }

  void take(const unsigned char* data, std::size_t size) {
    bytes += size;
    if (rest_size > 0) {
      const std::size_t filling = std::min(size, kBlock - rest_size);
      std::memcpy(rest.data() + rest_size, data, filling);
      rest_size += filling;
      data += filling;
      size -= filling;
      if (rest_size < kBlock) return;
      take_block(rest.data());
      rest_size = 0;
    }
    for (; size >= kBlock; data += kBlock, size -= kBlock) take_block(data);
    if (size > 0) std::memcpy(rest.data(), data, size);
    rest_size = size;
  }

  // A bit, zeros up to eight bytes before a block's end, and the number of bits.
  void end() {
    const std::uint64_t bits = bytes * 8;
    std::array<unsigned char, kBlock + 8> padding = {0x80};
    const std::size_t zeros = (kBlock + 56 - 1 - rest_size) % kBlock;
    for (std::size_t i = 0; i < 8; ++i) padding[1 + zeros + i] = static_cast<unsigned char>(bits >> (56U - 8U * i));
    take(padding.data(), 1 + zeros + 8);
  }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  if (!bytes.empty()) state_->take(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

Sha256Digest Sha256::digest() && {
  state_->end();
  Sha256Digest out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<unsigned char>(state_->hash[i / 4] >> (24U - 8U * (i % 4)));
  }
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
