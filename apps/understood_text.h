// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/table/understand.h"

namespace fedstein {

// What was understood of a table, for people: at most `most` of its columns, then how many more there are; remarks and
// problems; at the end, where it can be used and is not too wide to look at, the [data] table to paste.
std::string understood_text(const UnderstoodTable& table, const std::string& path, std::size_t most, bool rich);

// The same for programs, with all columns.
std::string understood_json(const UnderstoodTable& table, const std::string& path);

// The [data] table, fit for a terminal and for a file.
std::string understood_toml(const UnderstoodTable& table);

}  // namespace fedstein
