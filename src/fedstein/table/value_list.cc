// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/value_list.h"

#include <algorithm>
#include <cmath>

#include "fedstein/table/cell.h"

namespace fedstein {

ValuePlaces::ValuePlaces(const std::vector<std::string>& values) {
  double number = 0;
  are_numbers_ = !values.empty() && std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return read_cell(value, '.', number) == CellKind::kNumber && std::abs(number) <= kMostCode;
  });
  Index place = 0;
  for (const std::string& value : values) {
    by_text_.emplace(value, place);
    if (are_numbers_ && read_cell(value, '.', number) == CellKind::kNumber) by_number_.emplace(number, place);
    ++place;
  }
}

Index ValuePlaces::find(std::string_view cell, char decimal) const {
  // As text first: with another decimal mark than a point what looks like a number here may be a text there.
  if (const auto found = by_text_.find(cell); found != by_text_.end()) return found->second;
  double number = 0;
  if (!are_numbers_ || read_cell(cell, decimal, number) != CellKind::kNumber) return -1;
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? -1 : found->second;
}

}  // namespace fedstein
