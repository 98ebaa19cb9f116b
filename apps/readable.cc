// SPDX-License-Identifier: Apache-2.0
#include "readable.h"

#include "fedstein/base/visible.h"

namespace fedstein {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

void append_escape(std::string& out, char letter, std::uint32_t value, unsigned digits) {
  out += {'\\', letter};
  for (unsigned i = digits; i-- > 0;) out += kDigits[value >> (4 * i) & 15U];
}

}  // namespace

std::string readable(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count == most) return out + "...";
    std::uint32_t character = 0;
    const std::size_t bytes = take_character(text, at, character);
    if (bytes == 0) {
      append_escape(out, 'x', static_cast<unsigned char>(text[at++]), 2);
      continue;
    }
    if (character != '\n' && is_hidden(character)) {
      append_escape(out, character > 0xffff ? 'U' : 'u', character, character > 0xffff ? 8 : 4);
    } else {
      out += text.substr(at, bytes);
    }
    at += bytes;
  }
  return out;
}

std::string readable_line(std::string_view text, std::size_t most) {
  std::string out = readable(text, most);
  for (std::size_t at = out.find('\n'); at != std::string::npos; at = out.find('\n', at)) out.replace(at, 1, "\\u000a");
  return out;
}

}  // namespace fedstein
