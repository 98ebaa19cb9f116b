// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/agreed_table.h"

#include <algorithm>
#include <utility>

#include "fedstein/table/cell.h"
#include "fedstein/table/header.h"
#include "fedstein/table/make_rows.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

std::vector<std::string> agreed_names(const TableSchema& schema) {
  std::vector<std::string> names;
  for (const TableColumn& column : schema.columns) names.push_back(column.name);
  names.push_back(schema.label);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The names in the file's first line, which must be those that were agreed on, and no others.
std::vector<std::string> matched_names(const TableText& table, const TableSchema& own) {
  Records records(table, own.dialect.separator);
  records.next();
  std::vector<std::string> names = header_names(records.fields(), table.name(), records.line());
  const std::vector<std::string> agreed = agreed_names(own);
  std::vector<std::string> lacking;
  std::vector<std::string> extra;
  for (const std::string& name : agreed) {
    if (!contains(names, name)) lacking.push_back(name);
  }
  for (const std::string& name : names) {
    if (!contains(agreed, name) && !contains(own.ignored, name)) extra.push_back(name);
  }
  if (lacking.empty() && extra.empty()) return names;
  std::string complaint = lacking.empty() ? "" : "there is no column " + shown_list(lacking);
  if (!extra.empty()) {
    complaint += (complaint.empty() ? "" : ", and ") + ("nobody has agreed on " + shown_list(extra)) +
                 " (ignore leaves a column out)";
  }
  fail_line(table.name(),
            records.line(),
            complaint + "; expected, in any order, the columns that were agreed on, " + shown_list(agreed, 20));
}

// A comma where numbers have commas and none has a point.
char find_decimal(const TableText& table, const TableSchema& own, const std::vector<std::string>& names) {
  if (own.dialect.separator == ',') return '.';
  std::vector<std::size_t> places;
  for (const TableColumn& column : own.columns) {
    if (column.is_number()) places.push_back(static_cast<std::size_t>(place_of(names, column.name)));
  }
  if (own.classes.empty()) places.push_back(static_cast<std::size_t>(place_of(names, own.label)));
  bool has_commas = false;
  Records records(table, own.dialect.separator);
  if (own.dialect.header) records.next();
  while (records.next()) {
    const auto& fields = records.fields();
    for (const std::size_t place : places) {
      if (place >= fields.size()) continue;  // refused where rows are made
      double value = 0;
      const std::string_view cell = fields[place];
      const bool is_number = read_cell(cell, '.', value) == CellKind::kNumber;
      if (is_number && cell.find('.') != std::string_view::npos) return '.';
      has_commas = has_commas || (!is_number && read_cell(cell, ',', value) == CellKind::kNumber);
    }
  }
  return has_commas ? ',' : '.';
}

void settle_first_line(const TableText& table, TableSchema& own) {
  const HeaderAnswer found =
      find_header(table, {.separator = own.dialect.separator, .wanted_names = agreed_names(own)});
  Records records(table, own.dialect.separator);
  records.next();
  if (own.places.empty() && !found.header) {
    fail_line(table.name(),
              records.line(),
              "the first line holds no names; expected " + shown_list(agreed_names(own), 20) +
                  " there, in any order, since columns were agreed on by their names");
  }
  if (own.places.empty() || !found.header || found.is_guess) return;
  // The agreed names themselves: then they say more than places do.
  const auto& fields = records.fields();
  const bool are_agreed = std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
    return contains(agreed_names(own), std::string(without_blanks_around(field)));
  });
  if (are_agreed) {
    own.places.clear();
    own.dialect.header = true;
    return;
  }
  fail_line(table.name(),
            records.line(),
            "the first line holds names; expected a row, since columns were agreed on by their places");
}

Dataset read_by(const TableText& table, const TableSchema& schema, const AgreedTableOptions& options) {
  TableSchema own = schema;
  if (!own.group.empty()) own.ignored.push_back(std::exchange(own.group, {}));
  own.groups.clear();
  for (const std::string& name : options.ignore) {
    if (contains(agreed_names(schema), name)) {
      fail_file(table.name(), shown_column(name) + " is to be ignored, but was agreed on; it must be there");
    }
    if (!contains(own.ignored, name)) own.ignored.push_back(name);
  }
  own.dialect.separator = options.separator.value_or(find_separator(table));
  own.dialect.decimal = options.decimal.value_or('.');
  check_schema(own);
  settle_first_line(table, own);
  const std::vector<std::string> names = own.places.empty() ? matched_names(table, own) : own.places;
  if (!options.decimal) own.dialect.decimal = find_decimal(table, own, names);
  MadeRows made = make_rows(table, own);
  if (options.passed != nullptr) *options.passed = {made.dropped, made.comments, made.first_comment};
  return std::move(made.rows);
}

}  // namespace

std::string passed_over_remark(const PassedOver& passed) {
  std::string out;
  if (passed.rows > 0) out = counted(passed.rows, "row") + " left out for missing values";
  if (passed.comments > 0) out += (out.empty() ? "" : "; ") + comments_remark(passed.comments, passed.first_comment);
  return out;
}

Dataset read_agreed_table(const std::string& path, const TableSchema& schema, const AgreedTableOptions& options) {
  return read_by(TableText(ByteSource::open(path, kTableLimit)), schema, options);
}

Dataset parse_agreed_table(std::string_view bytes,
                           const std::string& name,
                           const TableSchema& schema,
                           const AgreedTableOptions& options) {
  return read_by(TableText(ByteSource::over(bytes, name, kTableLimit)), schema, options);
}

}  // namespace fedstein
