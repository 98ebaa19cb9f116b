// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/understanding.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "fedstein/base/counted.h"
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

const char* separator_advice(char separator) {
  switch (separator) {
    case '\t':
      return "tabs: separator = \"\\t\"";
    case ';':
      return "semicolons: separator = \";\"";
    case '|':
      return "bars: separator = \"|\"";
    case ',':
      return "commas: separator = \",\"";
    default:
      return "blanks: separator = \" \"";
  }
}

// A separator that was told and separates nothing, where another one does: every message after that would speak of one
// column with a long name.
void check_separates(const TableText& table, char told) {
  const auto width = [&](char separator) {
    Records records(table, separator);
    return records.next() ? records.fields().size() : 0;
  };
  if (width(told) != 1) return;
  const char found = find_separator(table);
  if (found == told || width(found) < 2) return;
  fail_file(table.name(),
            "by the separator " + in_quotes({&told, 1}) + " there is one column; the columns seem to be separated by " +
                separator_advice(found));
}

}  // namespace

void Understanding::study() {
  settle_dialect();
  settle_names();
  plan_.roles = find_roles(plan_.names, options_, last_is_blank_, table_.name());
  plan_.missing = options_.missing;
  match_given_columns();
  settle_told_values();
  study_columns(table_, plan_, study_);
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
  if (options_.separator) check_separates(table_, dialect.separator);
  plan_.decimal_is_open = !options_.decimal && dialect.separator != ',';
  const HeaderAnswer answer = find_header(table_,
                                          {.separator = dialect.separator,
                                           .decimal = options_.decimal,
                                           .told = options_.header,
                                           .wanted_names = told_names(options_)});
  dialect.header = answer.header;
  header_is_guess_ = answer.is_guess;
  last_is_blank_ = answer.last_is_blank;
  schema_.dialect = dialect;  // to be shown, should the study fail
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
    has_commas = has_commas || (column.other_mark > 0 && column.other_mark == column.texts);
  }
  if (!has_commas) return;
  plan_.dialect.decimal = ',';
  plan_.decimal_is_open = false;
  study_columns(table_, plan_, study_);
}

void Understanding::settle_told_values() {
  plan_.told.assign(plan_.names.size(), {});
  for (std::size_t k = 0; k < given_.size(); ++k) {
    if (given_[k] >= 0) plan_.told[k] = ValuePlaces(options_.columns[static_cast<std::size_t>(given_[k])].categories);
  }
  plan_.told[plan_.roles.label] = ValuePlaces(options_.classes);
  if (plan_.roles.group >= 0) plan_.told[static_cast<std::size_t>(plan_.roles.group)] = ValuePlaces(options_.groups);
}

// By name, or by place where the file has no names; then the columns bear the names that were given.
void Understanding::match_given_columns() {
  given_.assign(plan_.names.size(), -1);
  if (options_.columns.empty()) return;
  if (plan_.dialect.header) {
    match_given_names();
  } else {
    match_given_places();
  }
}

void Understanding::match_given_places() {
  std::vector<std::size_t> features;
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    if (plan_.roles.is_feature(k)) features.push_back(k);
  }
  if (features.size() != options_.columns.size()) {
    fail_file(table_.name(),
              "found " + counted(features.size(), "column") + " to learn from; expected the " +
                  std::to_string(options_.columns.size()) + " that were agreed on");
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    given_[features[i]] = static_cast<Index>(i);
    plan_.names[features[i]] = options_.columns[i].name;
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : plan_.names) {
    if (!seen.insert(name).second) {
      fail_file(table_.name(), shown_column(name) + " stands twice among the agreed columns, label, group and ignored");
    }
  }
}

void Understanding::match_given_names() {
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::string& name : plan_.names) places.emplace(name, places.size());
  std::vector<std::string> lacking;
  std::vector<std::string> names;
  for (const TableColumn& column : options_.columns) {
    const auto found = places.find(column.name);
    if (found == places.end()) {
      lacking.push_back(column.name);
    } else if (!plan_.roles.is_feature(found->second)) {
      fail_file(table_.name(),
                shown_column(column.name) + " is " + plan_.roles.name_of(found->second) +
                    " here; it was agreed on as a feature");
    } else if (given_[found->second] >= 0) {
      fail_file(table_.name(), shown_column(column.name) + " stands twice among the agreed columns");
    } else {
      given_[found->second] = static_cast<Index>(names.size());
    }
    names.push_back(column.name);
  }
  std::vector<std::string> extra;
  for (std::size_t k = 0; k < plan_.names.size(); ++k) {
    if (given_[k] < 0 && plan_.roles.is_feature(k)) extra.push_back(plan_.names[k]);
  }
  if (lacking.empty() && extra.empty()) return;
  std::string complaint;
  if (!lacking.empty()) complaint = "there is no column " + shown_list(lacking);
  if (!extra.empty()) {
    complaint += (complaint.empty() ? "" : ", and ") + ("nobody has agreed on " + shown_list(extra)) +
                 " (ignore leaves a column out)";
  }
  fail_file(table_.name(), complaint + "; expected the columns that were agreed on, " + shown_list(names, 20));
}

void Understanding::want_values() {
  values_.assign(plan_.names.size(), {});
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const ColumnStudy& study = study_.columns[k];
    const ColumnRoles& roles = plan_.roles;
    ColumnValues& values = values_[k];
    values.as_numbers = study.kind() == ColumnKind::kNumber && study.out_of_range == 0 &&
                        std::max(std::abs(study.low), std::abs(study.high)) <= kMostCode;
    if (roles.ignored[k]) continue;
    if (static_cast<Index>(k) == roles.group) {
      values.most = kMostGroups;
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

}  // namespace fedstein
