// SPDX-License-Identifier: Apache-2.0
// From a text file as people have it to a schema, and to rows.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "fedstein/data/source.h"
#include "fedstein/table/table_schema.h"

namespace fedstein {

// A column by its name, or by its number from 0.
using ColumnName = std::variant<std::string, Index>;

// What the user says of a table; what is left open is found in the file.
struct TableOptions {
  std::optional<char> separator = {};
  std::optional<char> decimal = {};
  std::optional<bool> header = {};
  std::optional<ColumnName> label = {};  // else the last column that is not ignored
  std::optional<LabelKind> labels = {};
  std::vector<std::string> classes = {};  // the order of classes: all that occur, perhaps more
  std::optional<ColumnName> group = {};
  std::vector<ColumnName> ignore = {};
  std::vector<ColumnName> categorical = {};  // columns of numbers that are codes
  MissingRule missing = MissingRule::kRefuse;
  // Given: these columns in this order, as settled elsewhere; a file that does not fit them is refused.
  std::vector<TableColumn> columns = {};
  std::vector<std::string> groups = {};  // likewise for the groups

  auto operator<=>(const TableOptions&) const = default;
};

// A column as `data describe` shows it.
struct ColumnSummary {
  std::string name = {};
  std::string role = {};  // "feature", "label", "group", "ignored"
  std::string kind = {};  // "number", "category", "text", "date", "constant", "empty"
  Index missing = 0;
  double low = 0;  // of numbers
  double high = 0;
  std::vector<std::pair<std::string, Index>> values = {};  // of categories and classes, with their counts; at most 50
  Index distinct = 0;                                      // how many there are; 0 where they were not counted
};

struct UnderstoodTable {
  TableSchema schema = {};
  Dataset rows = {};              // of the schema; name: the file's
  std::vector<Index> lines = {};  // of each row, from 1
  std::vector<ColumnSummary> columns = {};
  Index records = 0;                       // rows of the file, those that were left out too
  Index dropped = 0;                       // rows that were left out for missing values
  std::vector<std::string> remarks = {};   // what a user should know: constant columns, an origin, what was guessed
  std::vector<std::string> problems = {};  // of describe_table(): why the table cannot be used
};

// Reads the whole file. Throws DataError with all that is wrong with its columns at once (dates, names that differ in
// every row, missing values by column, one class only): each with what would be allowed.
UnderstoodTable understand_table(const std::string& path, const TableOptions& options);
UnderstoodTable understand_text(std::string_view bytes, const std::string& name, const TableOptions& options);

// The same, but whatever is wrong with the text or its columns is among the problems: for `data describe`, which shows
// a file that cannot be used yet as far as it was read. `rows` stays empty then. Throws DataError for a file that
// cannot be opened.
UnderstoodTable describe_table(const std::string& path, const TableOptions& options);
UnderstoodTable describe_text(std::string_view bytes, const std::string& name, const TableOptions& options);

// A separator as people write it on a command line: the character itself, \t or "tab", "blank" or "space". Nothing for
// a text that is no separator.
std::optional<char> separator_named(std::string_view text);

// The rows of a file by a schema that is settled: columns are found by name, categories and classes are those of the
// schema. Throws DataError with file, line, column, what was found and what is allowed.
Dataset read_table(const std::string& path, const TableSchema& schema);
Dataset parse_table(std::string_view bytes, const std::string& name, const TableSchema& schema);

}  // namespace fedstein
