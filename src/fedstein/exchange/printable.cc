// SPDX-License-Identifier: Apache-2.0
#include "fedstein/exchange/printable.h"

namespace fedstein {

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kCut = "...";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    std::string one(1, c);
    if (byte < 0x20 || byte > 0x7e) one = {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xfU]};
    if (out.size() + one.size() > most) return out.append(kCut);
    out += one;
  }
  return out;
}

}  // namespace fedstein
