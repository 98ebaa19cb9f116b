// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/table/understand.h"

namespace fedstein {

// What each column of a file is for.
struct ColumnRoles {
  std::size_t label = 0;
  Index group = -1;
  std::vector<bool> ignored = {};
  std::vector<bool> categorical = {};

  bool is_feature(std::size_t column) const {
    return !ignored[column] && column != label && static_cast<Index>(column) != group;
  }
  const char* name_of(std::size_t column) const;
};

// Throws DataError for a name or a number that is no column, and for a column that is two things at once.
// With `leaves_last` the last column is ignored unless it is given as something.
ColumnRoles find_roles(const std::vector<std::string>& names,
                       const TableOptions& options,
                       bool leaves_last,
                       const std::string& file);

}  // namespace fedstein
