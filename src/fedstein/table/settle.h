// SPDX-License-Identifier: Apache-2.0
// From what a column holds to what it means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/table/column_study.h"

namespace fedstein {

// What cannot be used, a sentence a column, and what a user should know.
struct Findings {
  struct Column {
    std::string name = {};
    std::string remark = {};  // " is 3 in every row"
  };
  std::vector<std::string> problems = {};
  std::vector<std::string> remarks = {};
  // Columns that are told together where they are many.
  std::vector<Column> constants = {};
  std::vector<Column> shifted = {};
  std::vector<Column> counters = {};
};

// All that settling one column needs.
struct SettleInput {
  const std::string& name;
  const ColumnStudy& study;
  const ColumnValues& values;
  Index rows = 0;
};

// More values than this are no categories, unless the user says so; then more than kMostClasses.
inline constexpr std::size_t kMostCategories = 50;
inline constexpr std::size_t kMostClasses = 1000;
inline constexpr std::size_t kMostGroups = 100'000;

// Beyond it a number in single precision has fewer than three digits left for what differs between rows: the middle of
// a column over its range.
inline constexpr double kFarFromZero = 1e4;

// A column to learn from; nothing where it cannot be used, and why is in `findings`.
std::optional<TableColumn> settle_feature(const SettleInput& input,
                                          bool told_categorical,
                                          MissingRule missing,
                                          Findings& findings);

struct SettledLabel {
  LabelKind kind = LabelKind::kRegression;
  std::vector<std::string> classes = {};
};
std::optional<SettledLabel> settle_label(const SettleInput& input, const TableOptions& options, Findings& findings);

// The names of the groups.
std::vector<std::string> settle_groups(const SettleInput& input, const TableOptions& options, Findings& findings);

// "; ignore = ["age"] leaves the column out"
std::string ignore_advice(const std::string& name);

}  // namespace fedstein
