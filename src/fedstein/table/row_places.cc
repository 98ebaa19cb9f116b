// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/row_places.h"

#include <algorithm>
#include <unordered_map>

#include "fedstein/data/error.h"
#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

std::vector<std::string> expected_names(const TableSchema& schema, bool is_labelled) {
  std::vector<std::string> names;
  for (const TableColumn& column : schema.columns) names.push_back(column.name);
  if (is_labelled) names.push_back(schema.label);
  if (is_labelled && !schema.group.empty()) names.push_back(schema.group);
  return names;
}

}  // namespace

void check_has_names(const TableSchema& schema,
                     const std::vector<std::string_view>& fields,
                     const std::string& file,
                     Index line) {
  const std::vector<std::string> known = expected_names(schema, true);
  bool are_numbers = true;
  std::vector<std::string> found;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::string cell(without_blanks_around(fields[k]));
    // The first column may have no name, see header_names().
    if (place_of(known, k == 0 && cell.empty() ? place_name(0) : cell) >= 0) return;
    double value = 0;
    are_numbers = are_numbers && (read_cell(cell, '.', value) == CellKind::kNumber ||
                                  read_cell(cell, ',', value) == CellKind::kNumber);
    found.push_back(cell);
  }
  fail_line(file,
            line,
            (are_numbers ? "the first line holds numbers"
                         : "the first line holds " + shown_list(found, 3) + ", none of the names that are known") +
                "; expected the names of columns, in any order: " + shown_list(expected_names(schema, false), 20));
}

RowPlaces find_places(const TableSchema& schema,
                      const std::vector<std::string>& names,
                      bool is_labelled,
                      const std::string& file,
                      Index line) {
  std::unordered_map<std::string_view, Index> by_name;
  for (const std::string& name : names) {
    if (!by_name.emplace(name, static_cast<Index>(by_name.size())).second) {
      fail_line(file, std::max(line, Index{1}), "two columns are called " + in_quotes(name) + "; names must differ");
    }
  }
  RowPlaces places{.width = names.size()};
  std::vector<std::string> lacking;
  std::vector<bool> known(names.size(), false);
  const auto find = [&](const std::string& name, bool is_needed) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      if (is_needed) lacking.push_back(name);
      return Index{-1};
    }
    known[static_cast<std::size_t>(found->second)] = true;
    return found->second;
  };
  for (const TableColumn& column : schema.columns) places.columns.push_back(find(column.name, true));
  places.label = find(schema.label, is_labelled);
  if (!schema.group.empty()) places.group = find(schema.group, is_labelled);
  for (const std::string& name : schema.ignored) find(name, false);
  std::vector<std::string> extra;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!known[i]) extra.push_back(names[i]);
  }
  if (lacking.empty() && extra.empty()) return places;
  std::string complaint;
  if (!lacking.empty()) complaint = "there is no column " + shown_list(lacking);
  if (!extra.empty())
    complaint += (complaint.empty() ? "" : ", and ") + ("nobody knows the column " + shown_list(extra));
  fail_line(file,
            std::max(line, Index{1}),
            complaint + "; expected, in any order, " + shown_list(expected_names(schema, is_labelled), 20));
}

}  // namespace fedstein
