// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fedstein/table/table_schema.h"

namespace fedstein {

// Which field of a record each column of a schema is.
struct RowPlaces {
  std::vector<Index> columns = {};  // of TableSchema::columns
  Index label = -1;
  Index group = -1;
  std::size_t width = 0;  // fields of every record
};

// A row where names should be would otherwise be told as names that occur twice, or that nobody knows. Throws DataError
// where the first line has no name of the schema's.
void check_has_names(const TableSchema& schema,
                     const std::vector<std::string_view>& fields,
                     const std::string& file,
                     Index line);

// By the names of a file's columns. Without `is_labelled`, label and group may lack. Throws DataError with all names
// that are missing and all that nobody knows; `line` is the header's, 0 for a file without one.
RowPlaces find_places(const TableSchema& schema,
                      const std::vector<std::string>& names,
                      bool is_labelled,
                      const std::string& file,
                      Index line);

}  // namespace fedstein
