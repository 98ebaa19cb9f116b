// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace fedstein {

using Sha256Digest = std::array<unsigned char, 32>;

// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  void add(std::string_view bytes);
  // The object is used up.
  Sha256Digest digest() &&;
  // The same as 64 digits.
  std::string hex() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 64 digits.
std::string hexadecimal(const Sha256Digest& digest);

}  // namespace fedstein
