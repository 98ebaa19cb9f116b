// SPDX-License-Identifier: Apache-2.0
#include "fedstein/base/visible.h"

#include <array>

namespace fedstein {
namespace {

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

}  // namespace

bool is_hidden(std::uint32_t character) {
  for (const Range& range : kHidden) {
    if (character >= range.first && character <= range.last) return true;
  }
  return false;
}

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

}  // namespace fedstein
