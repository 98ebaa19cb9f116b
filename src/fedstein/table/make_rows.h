// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/table/table_schema.h"
#include "fedstein/table/table_text.h"

namespace fedstein {

struct MadeRows {
  Dataset rows = {};
  std::vector<Index> lines = {};  // of each row
  Index dropped = 0;
  Index comments = 0;
  Index first_comment = 0;
};

// All rows of a table by its schema, which must have passed check_schema(). Throws DataError.
MadeRows make_rows(const TableText& table, const TableSchema& schema);

}  // namespace fedstein
