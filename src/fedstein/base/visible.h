// SPDX-License-Identifier: Apache-2.0
// Foreign text character by character, so that letters of every script can be shown and nothing else gets through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fedstein {

// The UTF-8 character at `at` and its bytes; 0 bytes where there is none.
std::size_t take_character(std::string_view text, std::size_t at, std::uint32_t& character);

// Whether a character is a control, or shows nothing but changes what others show.
bool is_hidden(std::uint32_t character);

}  // namespace fedstein
