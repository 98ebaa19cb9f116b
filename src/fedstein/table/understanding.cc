// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/understanding.h"

#include <algorithm>

#include "fedstein/table/header.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

std::vector<std::string> told_names(const TableOptions& options) {
  std::vector<std::string> names;
  const auto add = [&](const ColumnName& column) {
    if (const std::string* name = std::get_if<std::string>(&column)) names.push_back(*name);
  };
  if (options.label) add(*options.label);
  if (options.group) add(*options.group);
  for (const ColumnName& column : options.ignore) add(column);
  for (const ColumnName& column : options.categorical) add(column);
  for (const TableColumn& column : options.columns) names.push_back(column.name);
  return names;
}

}  // namespace

void Understanding::study() {
  settle_dialect();
  settle_names();
  plan_.roles = find_roles(plan_.names, options_, table_.name());
  plan_.missing = options_.missing;
  plan_.classes = ValueList(options_.classes);
  match_given_columns();
  study_ = study_columns(table_, plan_);
  settle_decimal();
  if (study_.rows + study_.dropped == 0)
    fail_file(table_.name(), "there is no row below the header; expected one at least");
  want_values();
  collect_values(table_, plan_, values_);
}

void Understanding::settle_dialect() {
  TableDialect& dialect = plan_.dialect;
  dialect.separator = options_.separator ? *options_.separator : find_separator(table_);
  dialect.decimal = options_.decimal.value_or('.');
  if (std::string_view(",;\t| ").find(dialect.separator) == std::string_view::npos) {
    fail_file(table_.name(),
              "the separator is " + in_quotes({&dialect.separator, 1}) +
                  "; expected a comma, a semicolon, a tab, a bar or a blank");
  }
  if ((dialect.decimal != '.' && dialect.decimal != ',') || dialect.decimal == dialect.separator) {
    fail_file(table_.name(),
              "the decimal mark is " + in_quotes({&dialect.decimal, 1}) +
                  "; expected a point or a comma, and not the separator");
  }
  plan_.decimal_is_open = !options_.decimal && dialect.separator != ',';
  const HeaderAnswer answer = find_header(table_,
                                          {.separator = dialect.separator,
                                           .decimal = options_.decimal,
                                           .told = options_.header,
                                           .wanted_names = told_names(options_)});
  dialect.header = answer.header;
  header_is_guess_ = answer.is_guess;
}

void Understanding::settle_names() {
  Records records(table_, plan_.dialect.separator);
  records.next();
  plan_.names = plan_.dialect.header ? header_names(records.fields(), table_.name(), records.line())
                                     : names_by_place(records.fields().size());
}

// A comma is the decimal mark where it makes numbers of a whole column, and no column has points.
void Understanding::settle_decimal() {
  if (!plan_.decimal_is_open) return;
  bool has_commas = false;
  for (const ColumnStudy& column : study_.columns) {
    if (column.with_point > 0 && column.texts == 0) return;
    has_commas = has_commas || (column.with_comma > 0 && column.with_comma == column.texts);
  }
  if (!has_commas) return;
  plan_.dialect.decimal = ',';
  plan_.decimal_is_open = false;
  study_ = study_columns(table_, plan_);
}

// By name, or by place where the file has no names; then the columns bear the names that were given.
void Understanding::match_given_columns() {
  given_.assign(plan_.names.size(), -1);
  if (options_.columns.empty()) return;
  if (!plan_.dialect.header) {
    std::vector<std::size_t> features;
    for (std::size_t k = 0; k < plan_.names.size(); ++k) {
      if (plan_.roles.is_feature(k)) features.push_back(k);
    }
    if (features.size() != options_.columns.size()) {
      fail_file(table_.name(),
                "found " + std::to_string(features.size()) + " columns to learn from; expected the " +
                    std::to_string(options_.columns.size()) + " that were agreed on");
    }
    for (std::size_t i = 0; i < features.size(); ++i) {
      given_[features[i]] = static_cast<Index>(i);
      plan_.names[features[i]] = options_.columns[i].name;
    }
    return;
  }
  std::vector<std::string> extra;
  std::vector<std::string> lacking;
  std::vector<std::string> names;
  for (const TableColumn& column : options_.columns) {
    names.push_back(column.name);
    const Index place = place_of(plan_.names, column.name);
    if (place < 0) {
      lacking.push_back(column.name);
    } else if (!plan_.roles.is_feature(static_cast<std::size_t>(place))) {
      fail_file(table_.name(),
                shown_column(column.name) + " is " + plan_.roles.name_of(static_cast<std::size_t>(place)) +
                    " here; it was agreed on as a feature");
    }
  }
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    given_[k] = place_of(names, plan_.names[k]);
    if (given_[k] < 0 && plan_.roles.is_feature(k)) extra.push_back(plan_.names[k]);
  }
  if (lacking.empty() && extra.empty()) return;
  std::string complaint;
  if (!lacking.empty()) complaint = "the columns " + shown_list(lacking) + " are missing";
  if (!extra.empty()) {
    complaint += (complaint.empty() ? "the columns " : ", and ") + shown_list(extra) +
                 " are too many (ignore = leaves columns out)";
  }
  fail_file(table_.name(), complaint + "; expected the columns that were agreed on, " + shown_list(names, 20));
}

void Understanding::want_values() {
  values_.assign(plan_.names.size(), {});
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const ColumnStudy& study = study_.columns[k];
    const ColumnRoles& roles = plan_.roles;
    ColumnValues& values = values_[k];
    values.as_numbers = study.kind() == ColumnKind::kNumber && study.out_of_range == 0;
    if (roles.ignored[k]) continue;
    if (static_cast<Index>(k) == roles.group) {
      values.most = static_cast<std::size_t>(study.present()) + 1;
    } else if (k == roles.label || roles.categorical[k] || given_[k] >= 0) {
      const bool is_plain_number = given_[k] >= 0 && options_.columns[static_cast<std::size_t>(given_[k])].is_number();
      values.most = is_plain_number ? 0 : kMostClasses;
    } else if (study.kind() == ColumnKind::kNumber) {
      values.keeps_numbers = options_.missing == MissingRule::kImpute && study.missing_kept > 0;
    } else {
      values.most = kMostCategories;
    }
  }
}

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
  if (const auto label = settle_label(input(plan_.roles.label), options_, findings_)) {
    schema_.labels = label->kind;
    schema_.classes = label->classes;
  }
  if (plan_.roles.group >= 0) {
    const auto group = static_cast<std::size_t>(plan_.roles.group);
    schema_.group = plan_.names[group];
    schema_.groups = settle_groups(input(group), options_, findings_);
  }
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    if (plan_.roles.ignored[k]) schema_.ignored.push_back(plan_.names[k]);
  }
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
      findings_.problems.push_back(what + "; missing = \"drop\" leaves such rows out, \"impute\" fills them in");
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

void Understanding::settle_features() {
  schema_.columns = options_.columns;
  if (!options_.columns.empty() || study_.rows == 0) return;
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    if (!plan_.roles.is_feature(k)) continue;
    auto column = settle_feature(input(k), plan_.roles.categorical[k], options_.missing, findings_);
    if (column) schema_.columns.push_back(std::move(*column));
  }
}

void Understanding::add_remarks() {
  std::vector<std::string>& remarks = findings_.remarks;
  if (!options_.label) remarks.push_back("the label is " + shown_column(schema_.label) + ", the last one");
  if (!options_.labels && findings_.problems.empty()) {
    remarks.push_back(std::string("the labels are taken as ") + label_kind_name(schema_.labels));
  }
  if (header_is_guess_) {
    remarks.push_back(plan_.dialect.header ? "the first line is taken as names, though there are only texts below it"
                                           : "the first line is taken as a row, not as names");
  }
  if (plan_.dialect.decimal == ',' && !options_.decimal) remarks.push_back("the decimal mark is a comma");
  if (study_.comments > 0) {
    remarks.push_back(counted(study_.comments, "line") + " beginning with # taken as comments, first line " +
                      std::to_string(study_.first_comment));
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
    if (count > kMostCategories) summary.values.resize(kMostCategories);
    const bool is_constant = is_number ? study.low == study.high : count == 1;
    const bool is_category = count > 0 && (!is_number || plan_.roles.categorical[k] || !schema_.classes.empty());
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
