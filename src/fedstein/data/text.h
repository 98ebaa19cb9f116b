// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/source.h"

namespace fedstein {

struct TextOptions {
  char separator = ',';                     // ' ': any run of blanks or tabs, also in front and at the end
  std::vector<Index> ignored_columns = {};  // from 0; not parsed, left out of the result
  Index columns = 0;                        // expected in the file; 0: as many as the first row has
  bool header = false;                      // the first line is skipped
  std::uint64_t byte_limit = kByteLimit;

  auto operator<=>(const TextOptions&) const = default;
};

// A table of numbers, one row per line: plain, gzip or bzip2. Blanks around a field are allowed; every number must be
// finite and every row as long as the first. Throws DataError.
Matrix read_text(const std::string& path, const TextOptions& options);
Matrix parse_text(std::string_view bytes, const std::string& name, const TextOptions& options);

}  // namespace fedstein
