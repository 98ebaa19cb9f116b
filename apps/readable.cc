// SPDX-License-Identifier: Apache-2.0
#include "readable.h"

#include <array>
#include <cstdint>

namespace fedstein {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Controls, and the characters that show nothing but change what others show.
constexpr std::array kHidden = {Range{0, 0x1f},
                                Range{0x7f, 0x9f},
                                Range{0xad, 0xad},
                                Range{0x61c, 0x61c},
                                Range{0x180e, 0x180e},
                                Range{0x200b, 0x200f},
                                Range{0x2028, 0x202e},
                                Range{0x2060, 0x206f},
                                Range{0xfeff, 0xfeff},
                                Range{0xfff0, 0xfffb},
                                Range{0xe0000, 0xe0fff}};

bool is_hidden(std::uint32_t character) {
  for (const Range& range : kHidden) {
    if (character >= range.first && character <= range.last) return true;
  }
  return false;
}

// The character at `at` and its bytes; 0 bytes where there is none.
std::size_t take_character(std::string_view text, std::size_t at, std::uint32_t& character) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) {
    character = lead;
    return 1;
  }
  const std::size_t bytes = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (bytes == 0 || lead >= 0xf5 || at + bytes > text.size()) return 0;
  character = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xc0U) != 0x80) return 0;
    character = character << 6U | (next & 0x3fU);
  }
  return bytes;
}

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
