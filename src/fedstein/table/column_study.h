// SPDX-License-Identifier: Apache-2.0
// The first two passes over a table: what its columns hold, and which values.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fedstein/table/roles.h"
#include "fedstein/table/table_text.h"
#include "fedstein/table/value_list.h"

namespace fedstein {

// A cell worth naming in a message.
struct FoundCell {
  Index line = 0;
  std::string text = {};
};

enum class ColumnKind { kNumber, kText, kDate, kEmpty, kFlawed };

// Of the rows that stay; missing values of all rows.
struct ColumnStudy {
  Index missing = 0;
  Index missing_kept = 0;  // of the rows that stay
  Index first_missing = 0;
  Index numbers = 0;
  double low = 0;
  double high = 0;
  Index out_of_range = 0;
  FoundCell first_out_of_range = {};
  Index texts = 0;
  FoundCell first_text = {};
  Index dates = 0;
  Index other_mark = 0;  // texts that the other decimal mark would make numbers
  Index with_point = 0;  // numbers with a decimal point; counted only where a comma is possible
  double last = 0;
  Index steps = 0;  // numbers that are the one before and 1

  Index present() const { return numbers + out_of_range + texts; }
  // 1, 2, 3, ...: what a program wrote beside the rows, and nothing to learn from.
  bool counts_rows() const;
  // kFlawed: numbers but for a few cells.
  ColumnKind kind() const;
};

struct StudyPlan {
  TableDialect dialect = {};
  bool decimal_is_open = false;
  std::vector<std::string> names = {};
  ColumnRoles roles = {};
  MissingRule missing = MissingRule::kRefuse;
  // Of each column the values that were told: none of them is missing, whatever it is called.
  std::vector<ValuePlaces> told = {};
};

struct TableStudy {
  std::vector<ColumnStudy> columns = {};
  Index rows = 0;  // that stay
  Index dropped = 0;
  Index comments = 0;
  Index first_comment = 0;
};

// Throws DataError for a record with another number of fields; what was seen before it stays in `study`.
void study_columns(const TableText& table, const StudyPlan& plan, TableStudy& study);

// The distinct values of one column with their counts; at most `most`, then nothing more is counted.
class ColumnValues {
 public:
  std::size_t most = 0;        // 0: not wanted
  bool as_numbers = false;     // 1 and 1.0 are one value, called as it was first written
  bool keeps_numbers = false;  // for the median
  std::vector<double> numbers = {};

  // Whether the value is a new one.
  bool add(std::string_view cell, char decimal);
  bool is_too_many() const { return is_too_many_; }
  // Numbers ascending, texts bytewise.
  std::vector<std::pair<std::string, Index>> sorted() const;

 private:
  bool is_too_many_ = false;
  std::unordered_map<std::string, Index, TextHash, std::equal_to<>> texts_;
  std::unordered_map<double, std::pair<std::string, Index>> codes_;
};

// Fills `values`, one for each column, from the rows that stay. Throws DataError where they are too many in all.
void collect_values(const TableText& table, const StudyPlan& plan, std::vector<ColumnValues>& values);

}  // namespace fedstein
