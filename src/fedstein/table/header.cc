// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/header.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

// A name that is also a value occurs again long before.
constexpr Index kHeaderSample = 1000;

struct Below {
  Index numbers = 0;
  Index texts = 0;
  bool repeats = false;         // the first record's cell occurs again
  bool second_repeats = false;  // the second one's does
  bool is_blank = true;

  bool is_numeric() const { return numbers > 0 && texts == 0; }
};

struct HeaderView {
  std::vector<std::string> first = {};
  std::vector<std::string> second = {};
  Index line = 0;
  std::vector<Below> below = {};
  char decimal = '.';
  bool decimal_is_open = false;  // a comma may be one

  bool is_number(std::string_view cell) const {
    double value = 0;
    return read_cell(cell, decimal, value) != CellKind::kText ||
           (decimal_is_open && read_cell(cell, ',', value) != CellKind::kText);
  }
};

HeaderView view_of(const TableText& table, const HeaderQuestion& question) {
  HeaderView view{.decimal = question.decimal.value_or('.'),
                  .decimal_is_open = !question.decimal && question.separator != ','};
  Records records(table, question.separator);
  if (!records.next()) fail_file(table.name(), "there is no row; expected at least one");
  view.first.assign(records.fields().begin(), records.fields().end());
  view.line = records.line();
  view.below.resize(view.first.size());
  for (Index count = 0; count < kHeaderSample && records.next(); ++count) {
    const auto& fields = records.fields();
    for (std::size_t k = 0; k < std::min(fields.size(), view.below.size()); ++k) {
      const std::string_view cell = fields[k];
      Below& below = view.below[k];
      if (!cell.empty()) below.is_blank = false;
      if (cell == view.first[k]) below.repeats = true;
      if (count > 0 && k < view.second.size() && cell == view.second[k]) below.second_repeats = true;
      if (is_missing(cell)) continue;
      ++(view.is_number(cell) ? below.numbers : below.texts);
    }
    if (count == 0) view.second.assign(fields.begin(), fields.end());
  }
  return view;
}

// The first column whose name-like cell stands above numbers; the number of columns when there is none.
std::size_t first_name_above_numbers(const HeaderView& view) {
  std::size_t k = 0;
  while (k < view.first.size() &&
         !(view.below[k].is_numeric() && !view.is_number(view.first[k]) && !is_missing(view.first[k]))) {
    ++k;
  }
  return k;
}

// Whether the numbers of a record are whole and each is the one before and 1, as columns are numbered.
bool counts_up(const std::vector<std::string>& cells, double& from, std::size_t& count) {
  count = 0;
  double last = 0;
  for (const std::string& cell : cells) {
    double value = 0;
    if (read_cell(cell, '.', value) != CellKind::kNumber) continue;
    if (value != std::floor(value) || (count > 0 && value != last + 1)) return false;
    if (count++ == 0) from = value;
    last = value;
  }
  return true;
}

// Names some of which are numbers: 2019, 2020, label. A row of numbers counts up by chance, so there must be more.
bool are_counted_names(const HeaderView& view) {
  std::size_t above_numbers = 0;  // texts that stand there
  bool is_above = false;          // a text that no row has
  for (std::size_t k = 0; k < view.first.size(); ++k) {
    const Below& below = view.below[k];
    if (view.is_number(view.first[k]) || (view.first[k].empty() && below.is_blank)) continue;
    if (below.repeats || (k > 0 && is_missing(view.first[k]))) return false;
    is_above = is_above || below.is_numeric() || below.second_repeats;
    if (below.is_numeric()) ++above_numbers;
  }
  double from = 0;
  double ignored = 0;
  std::size_t count = 0;
  std::size_t next_count = 0;
  if (!counts_up(view.first, from, count)) return false;
  if (above_numbers > 1 && above_numbers >= count && count > 0) return true;
  if (count < 2 || counts_up(view.second, ignored, next_count)) return false;
  const bool may_be_first = from == 0 || (from >= 1000 && from < 3000);
  return count == view.first.size() ? count > 3 && may_be_first : is_above;
}

bool has_name(const HeaderView& view, const std::vector<std::string>& names) {
  const std::unordered_set<std::string_view> cells(view.first.begin(), view.first.end());
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return cells.contains(name); });
}

// The first cell of text that other rows have in its column too, while a number stands above numbers: a row, not names.
// The number of columns when there is none.
std::size_t first_text_of_a_row(const HeaderView& view) {
  std::size_t repeated = view.first.size();
  bool has_number = false;
  for (std::size_t k = view.first.size(); k-- > 0;) {
    const bool is_number = view.is_number(view.first[k]);
    has_number = has_number || (is_number && !is_missing(view.first[k]) && view.below[k].is_numeric());
    if (!is_number && !is_missing(view.first[k]) && view.below[k].repeats) repeated = k;
  }
  return has_number ? repeated : view.first.size();
}

void refuse_names_that_are_a_row(const TableText& table, const HeaderView& view, const HeaderQuestion& question) {
  const bool numbers =
      std::all_of(view.first.begin(), view.first.end(), [&](const std::string& cell) { return view.is_number(cell); });
  const std::size_t k = first_text_of_a_row(view);
  const bool has_text_of_a_row = k < view.first.size();
  if ((!numbers && !has_text_of_a_row) || are_counted_names(view) || has_name(view, question.wanted_names)) return;
  fail_line(table.name(),
            view.line,
            (numbers ? "the first line holds numbers, not names"
                     : "the first line holds a row, not names: " + in_quotes(view.first[k]) +
                           " stands in other rows too, and numbers stand above numbers") +
                "; header = false (or name one of them: label = " + in_quotes(view.first.back()) + ")");
}

void check_told(const TableText& table, const HeaderView& view, const HeaderQuestion& question) {
  if (*question.told) return refuse_names_that_are_a_row(table, view, question);
  const std::size_t k = first_name_above_numbers(view);
  if (k == view.first.size() || view.below[k].numbers < 2) return;
  fail_line(table.name(),
            view.line,
            shown_column(place_name(k)) + ": found " + in_quotes(view.first[k]) +
                " above numbers; header = true if the first line holds names");
}

HeaderAnswer answer(const TableText& table, const HeaderView& view, const HeaderQuestion& question) {
  if (question.told) {
    check_told(table, view, question);
    return {.header = *question.told};
  }
  if (has_name(view, question.wanted_names)) return {};
  if (are_counted_names(view)) return {.is_guess = true};
  const bool is_first_empty = is_missing(view.first.front());
  const bool is_last_blank = view.first.back().empty() && view.below.back().is_blank;
  bool are_names = true;
  for (std::size_t k = 0; k < view.first.size(); ++k) {
    const bool may_be_empty = (k == 0 && is_first_empty) || (k + 1 == view.first.size() && is_last_blank);
    are_names = are_names && !view.is_number(view.first[k]) && (may_be_empty || !is_missing(view.first[k]));
  }
  const bool is_above_numbers = first_name_above_numbers(view) < view.first.size();
  if (are_names && is_above_numbers) return {};
  // A name that lacks is refused as such, not taken for a row.
  const bool has_numbers =
      std::any_of(view.first.begin(), view.first.end(), [&](const std::string& cell) { return view.is_number(cell); });
  if (!are_names) return {.header = is_above_numbers && !has_numbers};
  const std::set<std::string> distinct(view.first.begin(), view.first.end());
  const bool repeats = std::any_of(
      view.below.begin(), view.below.end(), [](const Below& below) { return below.repeats && !below.is_blank; });
  return {.header = distinct.size() == view.first.size() && !repeats, .is_guess = true};
}

}  // namespace

std::vector<std::string> header_names(const std::vector<std::string_view>& fields,
                                      const std::string& file,
                                      Index line) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::vector<std::string> twice;
  std::vector<std::string> empty;
  for (const std::string_view field : fields) {
    std::string name(without_blanks_around(field));
    if (name.empty() && !names.empty() && names.size() + 1 < fields.size()) empty.push_back(place_name(names.size()));
    if (name.empty()) name = place_name(names.size());
    if (!seen.insert(name).second) twice.push_back(name);
    names.push_back(std::move(name));
  }
  std::string complaint;
  if (!twice.empty()) complaint = "the names " + shown_list(twice) + " stand above more than one column";
  if (!empty.empty()) complaint += (complaint.empty() ? "" : ", and ") + shown_list(empty) + " have no name";
  if (!complaint.empty()) {
    fail_line(file, line, complaint + "; every column needs a name of its own (header = false if this is a row)");
  }
  return names;
}

std::vector<std::string> names_by_place(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) names.push_back(place_name(k));
  return names;
}

HeaderAnswer find_header(const TableText& table, const HeaderQuestion& question) {
  const HeaderView view = view_of(table, question);
  HeaderAnswer found = answer(table, view, question);
  found.last_is_blank = view.first.size() > 1 && view.first.back().empty() && view.below.back().is_blank;
  return found;
}

}  // namespace fedstein
