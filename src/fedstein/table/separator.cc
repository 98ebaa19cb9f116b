// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "fedstein/table/cell.h"
#include "fedstein/table/header.h"

namespace fedstein {
namespace {

// Enough to see a pattern, and read in no time.
constexpr Index kSampled = 50;

// With blanks inside fields nearly any text falls into equally many pieces by chance; numbers do not.
constexpr double kNumbersForBlanks = 0.9;

// What one candidate makes of the first records.
struct Split {
  char separator = ',';
  bool is_even = false;  // the same number of fields everywhere, more than one
  Index agreeing = 0;    // records with the most common number of fields, where that is more than one
  double numbers = 0;    // share of cells below the first record that are numbers or missing
};

bool is_number_or_missing(std::string_view cell, char separator) {
  double value = 0;
  return read_cell(cell, '.', value) == CellKind::kNumber || is_missing(cell) ||
         (separator != ',' && read_cell(cell, ',', value) == CellKind::kNumber);
}

Split split_by(const TableText& table, char separator) {
  Split split{.separator = separator};
  Records records(table, separator);
  std::map<std::size_t, Index> widths;
  Index count = 0;
  Index cells = 0;
  Index numbers = 0;
  try {
    while (count < kSampled && records.next()) {
      ++widths[records.fields().size()];
      if (++count == 1) continue;
      cells += static_cast<Index>(records.fields().size());
      numbers += std::count_if(records.fields().begin(), records.fields().end(), [&](std::string_view cell) {
        return is_number_or_missing(cell, separator);
      });
    }
  } catch (const DataError&) {
    return split;  // quotes that make no sense here
  }
  for (const auto& [width, found] : widths) {
    if (width > 1) split.agreeing = std::max(split.agreeing, found);
  }
  split.is_even = widths.size() == 1 && split.agreeing > 0;
  if (cells > 0) split.numbers = static_cast<double>(numbers) / static_cast<double>(cells);
  return split;
}

bool is_better(const Split& found, const Split& best) {
  if (found.is_even != best.is_even) return found.is_even;
  if (!found.is_even) return found.agreeing > best.agreeing;
  if (found.separator == ' ' && found.numbers < kNumbersForBlanks) return false;
  return found.numbers > best.numbers;
}

}  // namespace

char find_separator(const TableText& table) {
  Split best = split_by(table, ',');
  for (const char separator : {';', '\t', '|', ' '}) {
    const Split found = split_by(table, separator);
    if (is_better(found, best)) best = found;
  }
  // A column of sentences is a column: blanks that do not even fall into equally many pieces separate nothing.
  return best.separator == ' ' && !best.is_even ? ',' : best.separator;
}

}  // namespace fedstein
