// SPDX-License-Identifier: Apache-2.0
// What a table's columns mean, fully settled: the same file gives the same numbers wherever the schema travels, in a
// stored configuration, a server's charter or a posterior file.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/data/dataset.h"

namespace fedstein {

// What happens to a row with a missing value (empty, NA, N/A, nan, null, none or ?, in any case).
enum class MissingRule {
  kRefuse,  // one error that counts them by column
  kDrop,    // the row is left out
  kImpute,  // a number becomes the column's median, a category one that there is; one more feature is 1 there, else 0
};

// How lines fall into fields. A separator of ' ' stands for any run of blanks and tabs.
struct TableDialect {
  char separator = ',';
  char decimal = '.';
  bool header = true;  // the first line holds the columns' names

  auto operator<=>(const TableDialect&) const = default;
};

// A column that is learned from.
struct TableColumn {
  std::string name = {};
  // Of a text column: its values, in order. Every one but the first, the reference, is a feature that is 0 or 1. Empty:
  // the column is a number, which is one feature.
  std::vector<std::string> categories = {};
  // Set: the column may lack values. Of a number the value that stands in; of a category its place in `categories`.
  std::optional<double> fill = {};
  // With a fill: one more feature, behind its others, is 1 where the value lacks.
  bool marks_missing = true;
  // Subtracted while the number still has all its digits: a time of 1.7e9 s would lose its seconds in single precision.
  double origin = 0;

  bool is_number() const { return categories.empty(); }
  bool has_mark() const { return fill && marks_missing; }
  auto operator<=>(const TableColumn&) const = default;
};

struct TableSchema {
  TableDialect dialect = {};
  std::vector<TableColumn> columns = {};
  std::string label = {};  // name of the label's column
  LabelKind labels = LabelKind::kBinary;
  std::vector<std::string> classes = {};  // as the file writes them, in the order of our classes; empty: a number
  // The values in the file that are each class, where they are not its name or several are one class ("1", "2", "3" and
  // "4" are "ill"). Empty: a class has one value, which is its name.
  std::vector<std::vector<std::string>> class_values = {};
  std::string group = {};                 // name of the column whose values are groups; empty: none
  std::vector<std::string> groups = {};   // its values, in the order of Dataset::group
  std::vector<std::string> ignored = {};  // names of columns that are left out
  MissingRule missing = MissingRule::kRefuse;
  // Of a file without a header: the names of all its columns, in order ("column 1", ... unless they were given). Empty
  // with a header: columns are found by their names.
  std::vector<std::string> places = {};

  auto operator<=>(const TableSchema&) const = default;
};

// Features of one row.
Index feature_count(const TableColumn& column);
Index feature_count(const TableSchema& schema);
// "age", "sex=male", "age missing", in the order of the features.
std::vector<std::string> feature_names(const TableSchema& schema);

// What the label's column may hold, and the class of each; for a number nothing.
std::vector<std::string> label_values(const TableSchema& schema);
std::vector<Index> classes_of_values(const TableSchema& schema);

// Throws InvalidArgument for a schema that no table can have: two columns of one name, a category twice, one class
// only.
void check_schema(const TableSchema& schema);

const char* missing_rule_name(MissingRule rule);  // "refuse", "drop", "impute"

}  // namespace fedstein
