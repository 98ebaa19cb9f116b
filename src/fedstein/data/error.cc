// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/error.h"

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
  constexpr std::size_t kShown = 40;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : found.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte >= 0x20 && byte < 0x7f) {
      text += c;
    } else {
      text += "\\x";
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
  }
  text += found.size() > kShown ? "'..." : "'";
  return text;
}

}  // namespace fedstein
