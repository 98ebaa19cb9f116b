// SPDX-License-Identifier: Apache-2.0
// Whether a message is fit for any terminal: characters that show, letters of every script among them, and no byte
// that is no UTF-8.
#pragma once

#include <string_view>

#include "fedstein/base/visible.h"

namespace fedstein {

inline bool shows(std::string_view message, bool may_have_lines = false) {
  for (std::size_t at = 0; at < message.size();) {
    std::uint32_t character = 0;
    const std::size_t bytes = take_character(message, at, character);
    if (bytes == 0 || (is_hidden(character) && !(may_have_lines && character == '\n'))) return false;
    at += bytes;
  }
  return true;
}

}  // namespace fedstein
