// SPDX-License-Identifier: Apache-2.0
// What a single cell of a table is, by itself.
#pragma once

#include <string>
#include <string_view>

namespace fedstein {

enum class CellKind {
  kNumber,      // finite, and fits into Real
  kOutOfRange,  // inf, 1e999; what is too small to be told from 0 is 0
  kText,
};

// The cell as a number with this decimal mark; `value` is written for kNumber only. Thousands separators are text.
CellKind read_cell(std::string_view cell, char decimal, double& value);

// Empty, NA, N/A, nan, null, none or ?, in any case; also #N/A, <NA> and -nan, as other programs write them.
bool is_missing(std::string_view cell);

// 2024-01-31, 31.01.2024, 01/31/2024 with or without a time behind it, or a time alone. Shapes only, not calendars.
bool looks_like_a_date(std::string_view cell);

// 1,234, 1,234.5, 1.234,5, 1 234 or 1'234'567: digits in threes. For cells that are no numbers as they stand.
bool looks_like_thousands(std::string_view cell);

// $350, 16%, 1.200 EUR, "115 000": a number with up to three signs or letters in front of it or behind it, or a blank
// between digits.
bool looks_like_an_amount(std::string_view cell);

std::string_view without_blanks_around(std::string_view cell);

// A number's text with '.' as its decimal mark: how categories, classes and groups that are numbers are kept.
std::string with_decimal_point(std::string_view cell, char decimal);

}  // namespace fedstein
