// SPDX-License-Identifier: Apache-2.0
// Columns and values as messages show them; all of it is foreign text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/base/counted.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// "column 3", of a column that has no name, counted from 0 as keys do.
std::string place_name(std::size_t place);

// "column 'age'", or "column 3 (from 0)" for one that has no name.
std::string shown_column(const std::string& name);

// "'a', 'b', 'c' and 17 more"
std::string shown_list(const std::vector<std::string>& names, std::size_t most = 12);

// "; did you mean 'age'? there are 'age', 'sex'"
std::string instead_of_column(std::string_view wrong, const std::vector<std::string>& names);

// The place of `name`, -1 where there is none.
Index place_of(const std::vector<std::string>& names, std::string_view name);

// "2 lines beginning with # taken as comments, first line 7"
std::string comments_remark(Index count, Index first_line);

}  // namespace fedstein
