// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fedstein/table/understand.h"

namespace fedstein {

// Text tables that were read to find out what their columns mean. Whoever needs the rows takes them from here: no file
// is read twice, and no table is held longer than its rows are needed. Copies of a plan share one of these; it is for
// one thread at a time.
class ReadTables {
 public:
  void put(const std::string& path, std::shared_ptr<const UnderstoodTable> table);
  // Null where there is none, or where it was taken before.
  std::shared_ptr<const Dataset> take(const std::string& path, const TableSchema& schema);

 private:
  struct Entry {
    std::string path = {};
    std::shared_ptr<const UnderstoodTable> table = {};
  };
  std::vector<Entry> entries_;
};

}  // namespace fedstein
