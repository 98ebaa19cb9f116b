// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fedstein/data/number.h"
#include "fedstein/numeric/check.h"
#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"
#include "fedstein/table/settle.h"

namespace fedstein {
namespace {

// So few values are categories however few rows there are.
constexpr std::size_t kSurelyCategories = 10;

// A text that is another in each of so many rows is a name or a number of the row.
constexpr std::size_t kSurelyNames = 6;

std::string place_of_cell(const FoundCell& cell) {
  return in_quotes(cell.text) + " in line " + std::to_string(cell.line);
}

// What is wrong with the column whoever uses it; empty when nothing is.
std::string flaw_of(const SettleInput& input) {
  const ColumnStudy& study = input.study;
  switch (study.kind()) {
    case ColumnKind::kEmpty:
      return "there is no value in any row" + ignore_advice(input.name);
    case ColumnKind::kDate:
      return "found dates or times such as " + place_of_cell(study.first_text) +
             "; turn them into numbers, such as days since a fixed day" + ignore_advice(input.name);
    case ColumnKind::kFlawed:
      return "found " + place_of_cell(study.first_text) + "; expected a number as in " + std::to_string(study.numbers) +
             " other rows" +
             (looks_like_thousands(study.first_text.text) ? ", without thousands separators"
                                                          : ", or a missing value such as NA");
    case ColumnKind::kText:
      if (study.other_mark == study.texts) {
        const bool may_be_thousands = looks_like_thousands(study.first_text.text);
        return "found " + place_of_cell(study.first_text) + ", with another decimal mark than the table's" +
               (may_be_thousands ? " or a thousands separator; write 1.5 and 1500 " : "; write 1.5 ") +
               "where columns are separated by commas, or tell the mark by decimal = (categorical = [" +
               in_quotes(input.name) + "] if these are no numbers)";
      }
      if (looks_like_thousands(study.first_text.text)) {
        return "found " + place_of_cell(study.first_text) + "; thousands separators are not supported, expected 1234.5";
      }
      if (!looks_like_an_amount(study.first_text.text)) return {};
      return "found " + place_of_cell(study.first_text) +
             "; expected plain numbers such as 1234.5, without a sign of " +
             "currency or percent and without thousands separators (categorical = [" + in_quotes(input.name) +
             "] if these are no numbers)";
    case ColumnKind::kNumber:
      if (study.out_of_range == 0) return {};
      return "found " + place_of_cell(study.first_out_of_range) + "; expected a finite number that fits into " +
             kRealName;
  }
  return {};
}

// A feature that marks missing values is learned from the rows that lack one. With a handful among many its coefficient
// runs to where the prior stops it.
bool is_worth_a_mark(const SettleInput& input) {
  constexpr Index kFewRows = 10;
  constexpr Index kFewInTwenty = 20;
  const Index missing = input.study.missing_kept;
  return missing >= kFewRows || kFewInTwenty * missing >= input.rows;
}

void set_fill(double value, const SettleInput& input, TableColumn& column, Findings& findings) {
  column.fill = value;
  column.marks_missing = is_worth_a_mark(input);
  if (column.marks_missing) return;
  findings.remarks.push_back(shown_column(input.name) + ": " + counted(input.study.missing_kept, "missing value") +
                             " filled in, too few for a feature that marks them");
}

bool settle_number(const SettleInput& input, MissingRule missing, TableColumn& column, Findings& findings) {
  const ColumnStudy& study = input.study;
  const double spread = study.high - study.low;
  if (spread == 0) {
    findings.constants.push_back({input.name, " is " + to_text(study.low) + " in every row, and teaches nothing"});
  } else if (std::abs(study.low / 2 + study.high / 2) > kFarFromZero * spread) {
    column.origin = study.low;
    findings.shifted.push_back({input.name, " is counted from " + to_text(study.low) + ", so that its digits survive"});
  }
  if (study.counts_rows()) {
    findings.counters.push_back(
        {input.name, " counts the rows from " + to_text(study.low) + ignore_advice(input.name)});
  }
  if (missing != MissingRule::kImpute || study.missing_kept == 0) return true;
  std::vector<double> numbers = input.values.numbers;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  double median = *middle;
  if (numbers.size() % 2 == 0) median = *std::max_element(numbers.begin(), middle) / 2 + *middle / 2;
  set_fill(median, input, column, findings);
  return true;
}

bool settle_categories(
    const SettleInput& input, bool told, MissingRule missing, TableColumn& column, Findings& findings) {
  const auto values = input.values.sorted();
  const std::size_t count = values.size();
  const bool is_another_everywhere = static_cast<Index>(count) == input.rows && count >= kSurelyNames;
  const bool is_small =
      !is_another_everywhere && (count <= kSurelyCategories || 2 * static_cast<Index>(count) < input.rows);
  const bool is_too_many = input.values.is_too_many();
  if (is_too_many && (told || input.values.most > kMostCategories)) {
    findings.problems.push_back(shown_column(input.name) + ": found more than " + std::to_string(input.values.most) +
                                " different values; expected fewer" + ignore_advice(input.name));
    return false;
  }
  if (!told && (is_too_many || !is_small)) {
    findings.problems.push_back(
        shown_column(input.name) + ": found text such as " + place_of_cell(input.study.first_text) + ", of " +
        (is_too_many ? "more than " + std::to_string(kMostCategories) : std::to_string(count)) +
        " different values in " + counted(input.rows, "row") + "; too many to learn from" +
        (2 * input.study.numbers > input.study.present()
             ? "; most are numbers: write NA where " + in_quotes(input.study.first_text.text) +
                   " stands for a missing one"
             : "") +
        ignore_advice(input.name) + ", categorical = [" + in_quotes(input.name) + "] makes every value a feature");
    return false;
  }
  for (const auto& value : values) column.categories.push_back(value.first);
  if (count == 1) {
    findings.constants.push_back(
        {input.name, " is " + in_quotes(values[0].first) + " in every row, and teaches nothing"});
  }
  if (!told && 2 * input.study.numbers > input.study.present()) {
    findings.remarks.push_back(shown_column(input.name) + " is taken as categories, though most of its values are " +
                               "numbers, for the sake of " + place_of_cell(input.study.first_text));
  }
  if (missing == MissingRule::kImpute && input.study.missing_kept > 0) {
    const auto usual = std::max_element(
        values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    set_fill(is_worth_a_mark(input) ? 0 : static_cast<double>(usual - values.begin()), input, column, findings);
  }
  return true;
}

}  // namespace

std::string ignore_advice(const std::string& name) {
  return "; ignore = [" + in_quotes(name) + "] leaves the column out";
}

std::optional<TableColumn> settle_feature(const SettleInput& input,
                                          bool told_categorical,
                                          MissingRule missing,
                                          Findings& findings) {
  const ColumnKind kind = input.study.kind();
  const bool is_told_text = told_categorical && kind != ColumnKind::kEmpty && input.study.texts > 0;
  if (const std::string flaw = is_told_text ? "" : flaw_of(input); !flaw.empty()) {
    findings.problems.push_back(shown_column(input.name) + ": " + flaw);
    return {};
  }
  TableColumn column{.name = input.name};
  const bool is_settled = kind == ColumnKind::kNumber && !told_categorical
                              ? settle_number(input, missing, column, findings)
                              : settle_categories(input, told_categorical, missing, column, findings);
  if (!is_settled) return {};
  return column;
}

}  // namespace fedstein
