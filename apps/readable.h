// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fedstein {

// Foreign UTF-8 text for a terminal: letters of every script stay; what moves the cursor, turns the direction of
// writing or does not show at all becomes \u001b or \U000e0001, a byte that is no UTF-8 \xff. Inside a TOML string the
// first two mean the same character again. Line ends stay, and the text is cut behind `most` characters.
std::string readable(std::string_view text, std::size_t most = std::string_view::npos);

// The same, with line ends written likewise.
std::string readable_line(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace fedstein
