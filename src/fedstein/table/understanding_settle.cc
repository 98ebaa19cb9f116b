// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fedstein/table/cell.h"
#include "fedstein/table/names.h"
#include "fedstein/table/understanding.h"

namespace fedstein {
namespace {

// More columns of one kind are told in one sentence.
constexpr std::size_t kToldOneByOne = 5;

void remark_together(const std::vector<Findings::Column>& columns,
                     const std::string& what,
                     std::vector<std::string>& remarks) {
  if (columns.size() <= kToldOneByOne) {
    for (const Findings::Column& column : columns) remarks.push_back(shown_column(column.name) + column.remark);
    return;
  }
  std::vector<std::string> names;
  for (const Findings::Column& column : columns) names.push_back(column.name);
  remarks.push_back("the columns " + shown_list(names) + " are " + what);
}

}  // namespace

SettleInput Understanding::input(std::size_t column) const {
  return {plan_.names[column], study_.columns[column], values_[column], study_.rows};
}

void Understanding::settle() {
  schema_.dialect = plan_.dialect;
  schema_.missing = options_.missing;
  schema_.label = plan_.names[plan_.roles.label];
  if (!plan_.dialect.header) schema_.places = plan_.names;
  settle_missing();
  settle_features();
  // Where no row stays, what it lacks has been said.
  if (study_.rows > 0) {
    if (const auto label = settle_label(input(plan_.roles.label), options_, findings_)) {
      schema_.labels = label->kind;
      schema_.classes = label->classes;
    }
  }
  if (plan_.roles.group >= 0 && study_.rows > 0) {
    const auto group = static_cast<std::size_t>(plan_.roles.group);
    schema_.group = plan_.names[group];
    schema_.groups = settle_groups(input(group), options_, findings_);
  }
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    if (plan_.roles.ignored[k]) schema_.ignored.push_back(plan_.names[k]);
  }
  if (last_is_blank_ && plan_.roles.ignored.back()) settle_blank_column();
  if (findings_.problems.empty() && feature_count(schema_) == 0) {
    findings_.problems.push_back("no column is left to learn from; expected one besides the label");
  }
  add_remarks();
}

// Counted by column, with how to go on.
void Understanding::settle_missing() {
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    const ColumnStudy& study = study_.columns[k];
    if (plan_.roles.ignored[k] || study.missing == 0) continue;
    const std::string what = shown_column(plan_.names[k]) + ": " + counted(study.missing, "value") +
                             " missing, first in line " + std::to_string(study.first_missing);
    const bool is_all = study.missing == study_.rows + study_.dropped;
    if (options_.missing == MissingRule::kRefuse && !(is_all && given_[k] < 0)) {
      findings_.problems.push_back(what + (plan_.roles.is_feature(k)
                                               ? "; missing = \"drop\" leaves such rows out, \"impute\" fills them in"
                                               : "; missing = \"drop\" and \"impute\" leave such rows out"));
    } else if (is_all && options_.missing == MissingRule::kDrop && plan_.roles.is_feature(k)) {
      findings_.problems.push_back(what + ", and so no row is left" + ignore_advice(plan_.names[k]));
    } else if (options_.missing == MissingRule::kImpute && given_[k] >= 0 &&
               !options_.columns[static_cast<std::size_t>(given_[k])].fill) {
      findings_.problems.push_back(what + "; the column was agreed to have no missing values");
    }
  }
  if (study_.rows == 0 && findings_.problems.empty()) {
    findings_.problems.push_back("every row lacks a value and is left out; expected one whole row at least");
  }
}

// Behind the separator at the end of every line.
void Understanding::settle_blank_column() {
  const ColumnStudy& study = study_.columns.back();
  if (study.present() == 0) {
    findings_.remarks.push_back("every line ends with a separator; the empty column behind it is left out");
  } else if (std::none_of(options_.ignore.begin(), options_.ignore.end(), [&](const ColumnName& column) {
               const Index* number = std::get_if<Index>(&column);
               return number == nullptr ? std::get<std::string>(column) == plan_.names.back()
                                        : *number + 1 == static_cast<Index>(plan_.names.size());
             })) {
    const FoundCell& found = study.first_text;
    findings_.problems.push_back(
        shown_column(plan_.names.back()) + " is empty at first, but not everywhere" +
        (found.line > 0 ? ": found " + in_quotes(found.text) + " in line " + std::to_string(found.line) : "") +
        ignore_advice(plan_.names.back()));
  }
}

void Understanding::settle_features() {
  schema_.columns = options_.columns;
  if (!options_.columns.empty() || study_.rows == 0) return;
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    if (!plan_.roles.is_feature(k)) continue;
    auto column = settle_feature(input(k), plan_.roles.categorical[k], options_.missing, findings_);
    if (column) schema_.columns.push_back(std::move(*column));
  }
  remark_together(findings_.constants, "the same in every row, and teach nothing", findings_.remarks);
  remark_together(
      findings_.shifted, "counted from their smallest values, so that their digits survive", findings_.remarks);
  remark_together(findings_.counters, "counts of the rows; ignore = leaves columns out", findings_.remarks);
}

// Numbers can be meant in several ways.
std::string Understanding::other_kinds() const {
  const std::size_t label = plan_.roles.label;
  if (study_.columns[label].kind() != ColumnKind::kNumber || schema_.labels == LabelKind::kBinary) return {};
  if (schema_.labels == LabelKind::kMulticlass) return "; labels = \"regression\" or \"counts\" takes them as numbers";
  if (values_[label].is_too_many()) return {};
  for (const auto& value : values_[label].sorted()) {
    double number = 0;
    if (read_cell(value.first, '.', number) != CellKind::kNumber || !is_count(number)) return {};
  }
  return "; labels = \"counts\" if they count something";
}

void Understanding::add_remarks() {
  std::vector<std::string>& remarks = findings_.remarks;
  if (!options_.label) remarks.push_back("the label is " + shown_column(schema_.label) + ", the last one");
  if (!options_.labels && findings_.problems.empty()) {
    remarks.push_back(std::string("the labels are taken as ") + label_kind_name(schema_.labels) + other_kinds());
  }
  if (header_is_guess_) {
    remarks.push_back(plan_.dialect.header ? "the first line is taken as names, which is a guess; header = tells"
                                           : "the first line is taken as a row, not as names; header = tells");
  }
  if (plan_.dialect.decimal == ',' && !options_.decimal) remarks.push_back("the decimal mark is a comma");
  if (study_.comments > 0) {
    remarks.push_back(comments_remark(study_.comments, study_.first_comment));
  }
  if (study_.dropped > 0) remarks.push_back(counted(study_.dropped, "row") + " left out for missing values");
}

std::vector<ColumnSummary> Understanding::summaries() const {
  std::vector<ColumnSummary> summaries;
  for (std::size_t k = 0; k < study_.columns.size(); ++k) {
    const ColumnStudy& study = study_.columns[k];
    ColumnSummary summary{.name = plan_.names[k], .role = plan_.roles.name_of(k), .missing = study.missing};
    const bool is_number = study.kind() == ColumnKind::kNumber;
    if (values_.size() > k && !values_[k].is_too_many()) summary.values = values_[k].sorted();
    const std::size_t count = summary.values.size();
    summary.distinct = static_cast<Index>(count);
    if (count > kMostCategories) summary.values.resize(kMostCategories);
    const bool is_constant = is_number ? study.low == study.high : count == 1;
    const bool is_coded = plan_.roles.categorical[k] || static_cast<Index>(k) == plan_.roles.group ||
                          (k == plan_.roles.label && !schema_.classes.empty());
    const bool is_category = count > 0 && (!is_number || is_coded);
    summary.kind = study.kind() == ColumnKind::kEmpty  ? "empty"
                   : study.kind() == ColumnKind::kDate ? "date"
                   : is_constant                       ? "constant"
                   : is_category                       ? "category"
                   : is_number                         ? "number"
                                                       : "text";
    if (is_number) {
      summary.low = study.low;
      summary.high = study.high;
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace fedstein
