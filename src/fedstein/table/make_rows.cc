// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/make_rows.h"

#include <utility>

#include "fedstein/table/header.h"
#include "fedstein/table/names.h"
#include "fedstein/table/row_maker.h"

namespace fedstein {
namespace {

// 8 GiB in single precision: a small text can ask for fifty features a column.
constexpr Index kMostNumbers = Index{1} << 31;

Index count_records(const TableText& table, char separator) {
  Records records(table, separator);
  Index count = 0;
  while (records.next()) ++count;
  return count;
}

void check_count(const TableText& table, Index rows, Index features) {
  if (rows <= kMostNumbers / features) return;
  fail_file(table.name(),
            std::to_string(rows) + " rows of " + std::to_string(features) + " features are more than the limit of " +
                std::to_string(kMostNumbers) + " numbers; use fewer rows or ignore columns");
}

}  // namespace

MadeRows make_rows(const TableText& table, const TableSchema& schema) {
  const TableDialect& dialect = schema.dialect;
  const Index most = count_records(table, dialect.separator) - (dialect.header ? 1 : 0);
  if (most < 1) fail_file(table.name(), "there is no row; expected at least one");
  Records records(table, dialect.separator);
  RowMaker maker(schema, dialect.decimal, table.name());
  if (dialect.header) {
    records.next();
    check_has_names(schema, records.fields(), table.name(), records.line());
    const std::vector<std::string> names = header_names(records.fields(), table.name(), records.line());
    maker.set_places(find_places(schema, names, true, table.name(), records.line()));
  } else {
    maker.set_places(find_places(schema, schema.places, true, table.name(), 1));
  }
  const Index features = feature_count(schema);
  check_count(table, most, features);
  MadeRows made;
  made.rows.name = table.name();
  made.rows.labels = schema.labels;
  made.rows.classes = static_cast<Index>(schema.classes.size());
  made.rows.x.resize(most, features);
  made.rows.y.resize(most);
  Index count = 0;
  while (records.next()) {
    const auto& fields = records.fields();
    maker.check_width(fields, records.line());
    if (maker.is_left_out(fields)) {
      ++made.dropped;
      continue;
    }
    Index group = kNoGroup;
    const bool is_whole = maker.make_label(fields, records.line(), made.rows.y(count), group) &&
                          maker.make_features(fields, records.line(), made.rows.x.row(count).data(), nullptr);
    if (!is_whole) maker.fail_missing(records.line());
    if (!schema.group.empty()) made.rows.group.push_back(group);
    made.lines.push_back(records.line());
    ++count;
  }
  made.comments = records.scanner().comments();
  made.first_comment = records.scanner().first_comment();
  if (count == 0) fail_file(table.name(), "every row lacks a value and is left out; expected one whole row at least");
  if (count < most) {
    made.rows.x.conservativeResize(count, features);
    made.rows.y.conservativeResize(count);
  }
  return made;
}

}  // namespace fedstein
