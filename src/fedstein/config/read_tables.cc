// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/read_tables.h"

#include <algorithm>
#include <utility>

#include "fedstein/config/value.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

std::string separator_words(char separator) {
  switch (separator) {
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    case '|':
      return "bars";
    default:
      return "blanks";
  }
}

// "patients.csv: 400 rows separated by semicolons, with decimal commas"
std::string shape_line(const std::string& path, const UnderstoodTable& table) {
  const TableSchema& schema = table.schema;
  return shown_text(path) + ": " + counted(table.rows.x.rows(), "row") + " separated by " +
         separator_words(schema.dialect.separator) + (schema.dialect.decimal == ',' ? ", with decimal commas" : "") +
         (schema.dialect.header ? "" : ", without a header");
}

// "  learning column 'ill' ('no', 'yes') from 3 columns, which make 4 features"
std::string aim_line(const TableSchema& schema) {
  const std::string kind = schema.classes.empty() ? label_kind_name(schema.labels) : shown_list(schema.classes, 4);
  return "  learning " + shown_column(schema.label) + " (" + kind + ") from " +
         counted(static_cast<Index>(schema.columns.size()), "column") + ", which make " +
         counted(feature_count(schema), "feature");
}

}  // namespace

void ReadTables::put(const std::string& path, std::shared_ptr<const UnderstoodTable> table) {
  findings_.push_back(shape_line(path, *table));
  findings_.push_back(aim_line(table->schema));
  for (const std::string& remark : table->remarks) findings_.push_back("  " + remark);
  entries_.push_back({path, std::move(table)});
}

std::shared_ptr<const Dataset> ReadTables::take(const std::string& path, const TableSchema& schema) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.path == path && entry.table->schema == schema;
  });
  if (found == entries_.end()) return nullptr;
  const std::shared_ptr<const UnderstoodTable> table = std::move(found->table);
  entries_.erase(found);
  return {table, &table->rows};
}

}  // namespace fedstein
