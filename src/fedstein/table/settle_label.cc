// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"
#include "fedstein/table/settle.h"

namespace fedstein {
namespace {

// Whole numbers that count something have more values than this, classes fewer.
constexpr std::size_t kMostClassesInNumbers = 20;

using Counts = std::vector<std::pair<std::string, Index>>;

std::vector<std::string> values_of(const Counts& counts) {
  std::vector<std::string> values;
  for (const auto& count : counts) values.push_back(count.first);
  return values;
}

// Numbers that are classes: two of them, or 0, 1, 2, ... or 1, 2, 3, ... with each there more than once.
bool look_like_classes(const Counts& counts, bool is_too_many) {
  if (is_too_many) return false;
  if (counts.size() == 2) return true;
  if (counts.size() < 2 || counts.size() > kMostClassesInNumbers) return false;
  double expected = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    double value = 0;
    read_cell(counts[k].first, '.', value);
    if (k == 0) expected = value;
    if (k == 0 && value != 0 && value != 1) return false;
    if (value != expected || counts[k].second < 2) return false;
    ++expected;
  }
  return true;
}

bool is_class_kind(LabelKind kind) {
  return kind == LabelKind::kBinary || kind == LabelKind::kMulticlass;
}

std::string label_problem_of_numbers(const SettleInput& input) {
  const ColumnStudy& study = input.study;
  if (study.out_of_range > 0) {
    return "found " + in_quotes(study.first_out_of_range.text) + " in line " +
           std::to_string(study.first_out_of_range.line) + "; expected a finite number";
  }
  if (study.texts == 0) return {};
  return "found " + in_quotes(study.first_text.text) + " in line " + std::to_string(study.first_text.line) +
         "; expected a number, since " + (study.numbers > 0 ? "other rows have one" : "labels are numbers here");
}

// A label has no origin that is subtracted: predictions are in the user's units.
void remark_digits(const SettleInput& input, Findings& findings) {
  const ColumnStudy& study = input.study;
  if (study.low == study.high) {
    findings.remarks.push_back("the label, " + shown_column(input.name) + ", is " + to_text(study.low) +
                               " in every row");
  } else if (std::abs(study.low / 2 + study.high / 2) > kFarFromZero * (study.high - study.low)) {
    findings.remarks.push_back("the label, " + shown_column(input.name) + ", lies between " + to_text(study.low) +
                               " and " + to_text(study.high) + ", where " + kRealName +
                               " loses digits; subtract a fixed number in the file");
  }
}

std::string class_problem(const SettleInput& input, const TableOptions& options, const Counts& counts) {
  const std::vector<std::string> values = values_of(counts);
  if (input.values.is_too_many()) {
    return "found more than " + std::to_string(kMostClasses) + " classes; expected at most that many";
  }
  if (!options.classes.empty()) {
    const ValuePlaces told(options.classes);
    std::vector<std::string> others;
    for (const std::string& value : values) {
      if (told.find(value, '.') < 0) others.push_back(value);
    }
    if (!others.empty()) {
      return "found the classes " + shown_list(others) + "; expected one of " + shown_list(options.classes);
    }
  } else if (values.size() < 2) {
    return "every row is of the class " + shown_list(values) + "; expected two classes at least";
  } else if (!options.labels && values.size() > 10 && 2 * static_cast<Index>(values.size()) > input.rows) {
    return "found " + std::to_string(values.size()) + " different texts in " + counted(input.rows, "row") +
           "; expected classes that occur again (label = names another column)";
  }
  const std::size_t count = options.classes.empty() ? values.size() : options.classes.size();
  if (options.labels == LabelKind::kBinary && count != 2) {
    return "found the " + std::to_string(count) + " classes " +
           shown_list(options.classes.empty() ? values : options.classes) + "; binary labels have 2";
  }
  return {};
}

}  // namespace

std::optional<SettledLabel> settle_label(const SettleInput& input, const TableOptions& options, Findings& findings) {
  const ColumnStudy& study = input.study;
  const ColumnKind kind = study.kind();
  const auto refuse_label = [&](const std::string& problem) {
    findings.problems.push_back("the label, " + shown_column(input.name) + ": " + problem);
    return std::optional<SettledLabel>();
  };
  if (study.present() == 0) return refuse_label("there is no value in any row; expected a label in every one");
  const Counts counts = input.values.sorted();
  const bool told_classes = options.labels ? is_class_kind(*options.labels) : !options.classes.empty();
  if (!told_classes && !options.labels && kind == ColumnKind::kDate) {
    return refuse_label("found dates such as " + in_quotes(study.first_text.text) + "; expected classes or numbers");
  }
  const bool are_classes =
      told_classes ||
      (!options.labels && (kind == ColumnKind::kText || (kind == ColumnKind::kNumber && study.out_of_range == 0 &&
                                                         look_like_classes(counts, input.values.is_too_many()))));
  if (!are_classes) {
    if (options.labels == LabelKind::kDensity) return refuse_label("a table's labels cannot be of the kind density");
    if (const std::string problem = label_problem_of_numbers(input); !problem.empty()) return refuse_label(problem);
    if (!options.labels && study.low == study.high) {
      return refuse_label("it is " + in_quotes(counts.empty() ? "" : counts[0].first) +
                          " in every row; expected two different values at least");
    }
    remark_digits(input, findings);
    return SettledLabel{.kind = options.labels.value_or(LabelKind::kRegression)};
  }
  if (const std::string problem = class_problem(input, options, counts); !problem.empty()) return refuse_label(problem);
  SettledLabel label{.classes = options.classes.empty() ? values_of(counts) : options.classes};
  label.kind = options.labels.value_or(label.classes.size() == 2 ? LabelKind::kBinary : LabelKind::kMulticlass);
  return label;
}

std::vector<std::string> settle_groups(const SettleInput& input, const TableOptions& options, Findings& findings) {
  const std::vector<std::string> values = values_of(input.values.sorted());
  const auto complain = [&](const std::string& problem) {
    findings.problems.push_back("the groups, " + shown_column(input.name) + ": " + problem);
  };
  if (input.values.is_too_many()) {
    complain("found more than " + std::to_string(kMostGroups) + " different values; expected fewer");
  }
  if (values.empty()) complain("there is no value in any row; expected a group in every one");
  if (options.groups.empty()) return values;
  const ValuePlaces told(options.groups);
  std::vector<std::string> others;
  for (const std::string& value : values) {
    if (told.find(value, '.') < 0) others.push_back(value);
  }
  if (!others.empty()) complain("found " + shown_list(others) + "; expected one of " + shown_list(options.groups));
  return options.groups;
}

}  // namespace fedstein
