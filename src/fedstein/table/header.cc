// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/header.h"

#include <algorithm>
#include <set>

#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

// A name that is also a value occurs again long before.
constexpr Index kHeaderSample = 1000;

struct Below {
  Index numbers = 0;
  Index texts = 0;
  bool repeats = false;  // the first record's cell occurs again

  bool is_numeric() const { return numbers > 0 && texts == 0; }
};

struct HeaderView {
  std::vector<std::string> first = {};
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
    const std::size_t width = std::min(records.fields().size(), view.below.size());
    for (std::size_t k = 0; k < width; ++k) {
      const std::string_view cell = records.fields()[k];
      Below& below = view.below[k];
      if (cell == view.first[k]) below.repeats = true;
      if (is_missing(cell)) continue;
      ++(view.is_number(cell) ? below.numbers : below.texts);
    }
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

void check_told(const TableText& table, const HeaderView& view, bool header) {
  if (header) {
    const bool numbers = std::all_of(
        view.first.begin(), view.first.end(), [&](const std::string& cell) { return view.is_number(cell); });
    if (numbers) fail_line(table.name(), view.line, "the first line holds numbers, not names; header = false");
    return;
  }
  const std::size_t k = first_name_above_numbers(view);
  if (k == view.first.size() || view.below[k].numbers < 2) return;
  fail_line(table.name(),
            view.line,
            place_name(k) + ": found " + in_quotes(view.first[k]) +
                " above numbers; header = true if the first line holds names");
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
    if (name.empty() && !names.empty()) empty.push_back(place_name(names.size()));
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
  if (question.told) {
    check_told(table, view, *question.told);
    return {.header = *question.told};
  }
  for (const std::string& name : question.wanted_names) {
    if (place_of(view.first, name) >= 0) return {};
  }
  const bool are_names = std::none_of(view.first.begin(), view.first.end(), [&](const std::string& cell) {
    return view.is_number(cell) || (is_missing(cell) && &cell != &view.first.front());
  });
  if (!are_names) return {.header = false};
  if (std::any_of(view.below.begin(), view.below.end(), [](const Below& below) { return below.is_numeric(); })) {
    return {};
  }
  const std::set<std::string> distinct(view.first.begin(), view.first.end());
  const bool repeats =
      std::any_of(view.below.begin(), view.below.end(), [](const Below& below) { return below.repeats; });
  return {.header = distinct.size() == view.first.size() && !repeats, .is_guess = true};
}

}  // namespace fedstein
