// SPDX-License-Identifier: Apache-2.0
// SHA-256 and base64 beside results of Python's hashlib (OpenSSL) and of the standards' own examples.
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "fedstein/files/base64.h"
#include "fedstein/files/sha256.h"

namespace fedstein {
namespace {

std::string digest_of(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return std::move(sum).hex();
}

// Bytes of which none is like its neighbours.
std::string pattern(std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>((7 * i + 3) % 256);
  return out;
}

TEST(Sha256, GoldenOfTheStandardsExamples) {
  EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest_of(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Around the sizes at which the padding needs a block of its own.
TEST(Sha256, GoldenAtTheEdgesOfBlocks) {
  const std::pair<std::size_t, const char*> cases[] = {
      {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {1, "084fed08b978af4d7d196a7446a86b58009e636b611db16211b65a9aadff29c5"},
      {55, "e7313d333c272e639f790978283f9eb392e843d0f29b7016828bb1daa4aac70b"},
      {56, "4324d65f3c103567f5589c710bc08f8523f929a9272e3af36fc968e52abc6c27"},
      {57, "35df609437dcfea3279283ab79fd554e2bf78f8f7ae2de532d8ee300b09e8f73"},
      {63, "81c80242132f230c3bd41b3e63bbcff16107339549214a99614ff26664625055"},
      {64, "39e3d7b6b5d075d37d053ad89b24b41bef4f3c29760c84447cab3f3be1882241"},
      {65, "aacca6ff74fdbb296d165a45cecfa04e5127bc008770fbbdd48006f2d2fae95e"},
      {119, "9ce7368e4daf32341631b492e80359dc9f594b48453cd0dd5bf0b19279cc177e"},
      {120, "7836b787757e95e58b3ca5aec90b1b004e8deba1e50e9675af9cabf1a13a04b5"},
      {128, "d2742f1f4ac6bb7ca2b239ee18402ba8b3f9f8e652d2a72973c2b9ba11c08cf6"},
      {1000, "1e9bc38cbf860b9ec31918b065f9b52476c549a782e0e7990bed8ce3868d2371"}};
  for (const auto& [size, expected] : cases) EXPECT_EQ(digest_of(pattern(size)), expected) << size << " bytes";
}

TEST(Sha256, ComesPieceByPiece) {
  const std::string bytes = pattern(10000);
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    Sha256 sum;
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t taken = std::min<std::size_t>(rest.size(), random() % 150);
      sum.add(rest.substr(0, taken));
      rest.remove_prefix(taken);
    }
    EXPECT_EQ(std::move(sum).hex(), digest_of(bytes));
  }
}

TEST(Base64, GoldenOfTheStandardsExamples) {
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, expected] : cases) EXPECT_EQ(base64_of(bytes), expected);
  EXPECT_EQ(base64_of(std::string("\xff\xfe\x00\x3e\x3f", 5)), "//4APj8=");
}

}  // namespace
}  // namespace fedstein
