// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fedstein {

// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::string_view bytes);
  // 64 digits; the object is used up.
  std::string hex() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fedstein
