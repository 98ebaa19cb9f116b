// SPDX-License-Identifier: Apache-2.0
#include "fedstein/files/base64.h"

#include <cstdint>

namespace fedstein {

// RFC 4648, section 4: three bytes are four letters; what lacks at the end is padded with '='.
std::string base64_of(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    out += kLetters[three >> 18U];
    out += kLetters[three >> 12U & 63U];
    out += i + 1 < bytes.size() ? kLetters[three >> 6U & 63U] : '=';
    out += i + 2 < bytes.size() ? kLetters[three & 63U] : '=';
  }
  return out;
}

}  // namespace fedstein
