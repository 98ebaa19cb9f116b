// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/table/table_text.h"
#include "fedstein/table/understand.h"

namespace fedstein {

// The names that the first record gives to the columns. An empty first one, as written above an index, becomes
// "column 1", an empty last one, behind a separator at the line's end, "column 9" or so; other empty ones and names
// that occur twice are refused.
std::vector<std::string> header_names(const std::vector<std::string_view>& fields, const std::string& file, Index line);

// "column 1", "column 2", ...
std::vector<std::string> names_by_place(std::size_t count);

// Whether the first record holds names. Told by the user, it is held against what the records show; else it is found:
// no cell of it is a number or missing, and either a column below is made of numbers, or the cells are all different
// and none of them occurs again in its column; or its numbers count up, as years or a program's column numbers do.
// Throws DataError where told and found contradict each other.
struct HeaderQuestion {
  char separator = ',';
  std::optional<char> decimal = {};
  std::optional<bool> told = {};
  std::vector<std::string> wanted_names =
      {};  // that the user has used: where one is in the first record, it is a header
};
struct HeaderAnswer {
  bool header = true;
  bool is_guess = false;       // worth a remark: nothing but text, or numbers as names
  bool last_is_blank = false;  // every line ends with a separator, and nothing stands behind it
};
HeaderAnswer find_header(const TableText& table, const HeaderQuestion& question);

// The separator that splits the first records into equally many fields, more than one; ',' where none does.
char find_separator(const TableText& table);

}  // namespace fedstein
