// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/error.h"

#include <algorithm>

#include "fedstein/base/visible.h"

namespace fedstein {

void fail_file(const std::string& name, const std::string& complaint) {
  throw DataError(name + ": " + complaint);
}

void fail_line(const std::string& name, Index line, const std::string& complaint) {
  throw DataError(name + ":" + std::to_string(line) + ": " + complaint);
}

void fail_byte(const std::string& name, std::uint64_t offset, const std::string& complaint) {
  throw DataError(name + ": byte " + std::to_string(offset) + ": " + complaint);
}

std::string in_quotes(std::string_view found) {
  constexpr std::size_t kShown = 40;  // bytes
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "'";
  std::size_t at = 0;
  while (at < std::min(found.size(), kShown)) {
    std::uint32_t character = 0;
    const std::size_t bytes = take_character(found, at, character);
    const auto byte = static_cast<unsigned char>(found[at]);
    if (byte == '\'' || byte == '\\') text += '\\';
    if (bytes > 0 && !is_hidden(character)) {
      text += found.substr(at, bytes);
      at += bytes;
      continue;
    }
    text += "\\x";
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
    ++at;
  }
  text += at < found.size() ? "'..." : "'";
  return text;
}

}  // namespace fedstein
