// SPDX-License-Identifier: Apache-2.0
// A table whose columns were agreed on elsewhere: one participant's file of a federation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/data/dataset.h"
#include "fedstein/table/table_schema.h"

namespace fedstein {

// What the file's owner should know of what was passed over.
struct PassedOver {
  Index rows = 0;  // for a missing label, or by MissingRule::kDrop
  Index comments = 0;
  Index first_comment = 0;  // its line
};
// "2 rows left out for missing values; 1 line ..."; empty: nothing.
std::string passed_over_remark(const PassedOver& passed);

// What the owner of the file says of it.
struct AgreedTableOptions {
  std::optional<char> separator = {};    // else what the file shows
  std::optional<char> decimal = {};      // likewise
  std::vector<std::string> ignore = {};  // columns of the file that nobody has agreed on
  PassedOver* passed = nullptr;          // set: is told
};

// The rows of a file by a schema: columns, categories, classes and what stands in for missing values are the schema's;
// separator, decimal mark and the order of columns the file's own. With names in the schema the file must have them in
// its first line; without (TableSchema::places) it must have none, and as many columns. The schema's group may lack,
// and is not read. Throws DataError with file, line, column, what was found and what is allowed.
Dataset read_agreed_table(const std::string& path, const TableSchema& schema, const AgreedTableOptions& options = {});
Dataset parse_agreed_table(std::string_view bytes,
                           const std::string& name,
                           const TableSchema& schema,
                           const AgreedTableOptions& options = {});

}  // namespace fedstein
