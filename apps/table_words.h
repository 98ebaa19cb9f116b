// SPDX-License-Identifier: Apache-2.0
// The words of the configuration's table [data] that say what a table's columns mean, as options of a command line.
#pragma once

#include <string>
#include <vector>

#include "fedstein/table/understand.h"

namespace CLI {
class App;
}

namespace fedstein {

struct TableWords {
  std::string separator = {};
  std::string decimal = {};
  bool header = false;
  bool no_header = false;
  std::string label = {};
  std::string labels = "auto";
  std::vector<std::string> classes = {};
  std::string group = {};
  std::vector<std::string> ignore = {};
  std::vector<std::string> categorical = {};
  std::string missing = "refuse";
};

void add_table_words(CLI::App& verb, TableWords& words);

// Throws InvalidArgument for a separator that is none.
TableOptions table_options(const TableWords& words);

// A column as on a command line: age by its name, 3 by its number from 0, and "3" in quotes by its name again.
ColumnName column_named(const std::string& word);

}  // namespace fedstein
