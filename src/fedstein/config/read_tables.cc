// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/read_tables.h"

#include <algorithm>
#include <utility>

namespace fedstein {

void ReadTables::put(const std::string& path, std::shared_ptr<const UnderstoodTable> table) {
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
