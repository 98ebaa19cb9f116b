// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace fedstein {

// The bytes as gzip members of a few bytes each, stored and not packed: a ByteSource hands them out piece by piece, as
// a pipe would.
inline std::string in_pieces(std::string_view bytes, std::size_t piece) {
  std::string out;
  const auto number = [&](std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) out += static_cast<char>(value >> (8 * i) & 0xffU);
  };
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view part = bytes.substr(at, std::min<std::size_t>(piece, 65535));
    const auto size = static_cast<std::uint32_t>(part.size());
    out.append("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11);
    number(size, 2);
    number(~size, 2);
    out += part;
    number(static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(part.data()), size)), 4);
    number(size, 4);
  }
  return out;
}

}  // namespace fedstein
