// SPDX-License-Identifier: Apache-2.0
#include "fedstein/table/table_schema.h"

#include <cmath>
#include <limits>
#include <set>
#include <unordered_set>

#include "fedstein/numeric/check.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

constexpr const char* kSchema = "TableSchema";

bool has_classes(LabelKind labels) {
  return labels == LabelKind::kBinary || labels == LabelKind::kMulticlass;
}

void check_distinct(const std::vector<std::string>& values, const std::string& what) {
  std::set<std::string> seen;
  for (const std::string& value : values) {
    check_argument(seen.insert(value).second, kSchema, [&] {
      return what + " holds " + shown_list({value}) + " twice; its entries must differ";
    });
  }
}

void check_dialect(const TableSchema& schema) {
  const TableDialect& dialect = schema.dialect;
  check_argument(std::string_view(",;\t| ").find(dialect.separator) != std::string_view::npos,
                 kSchema,
                 "separator must be a comma, a semicolon, a tab, a bar or a blank");
  check_argument((dialect.decimal == '.' || dialect.decimal == ',') && dialect.decimal != dialect.separator,
                 kSchema,
                 "decimal must be a point or a comma, and not the separator");
  check_argument(dialect.header == schema.places.empty(),
                 kSchema,
                 "places must name the columns of a table without a header, and only of such a one");
}

void check_classes_of(const TableSchema& schema) {
  const std::size_t count = schema.classes.size();
  const std::string kind = label_kind_name(schema.labels);
  const bool allowed = schema.labels == LabelKind::kBinary ? count == 2
                       : has_classes(schema.labels)        ? count >= 2
                                                           : count == 0;
  check_argument(allowed,
                 kSchema,
                 "classes holds " + std::to_string(count) + "; " + kind + " labels have " +
                     (schema.labels == LabelKind::kBinary ? "2"
                      : has_classes(schema.labels)        ? "at least 2"
                                                          : "none"));
  check_distinct(schema.classes, "classes");
  if (schema.class_values.empty()) return;
  check_argument(
      schema.class_values.size() == count, kSchema, "class_values must say of every class which values it has");
  for (std::size_t k = 0; k < count; ++k) {
    check_argument(!schema.class_values[k].empty(), kSchema, [&] {
      return "class_values has no value for the class " + shown_list({schema.classes[k]});
    });
  }
  check_distinct(label_values(schema), "class_values");
}

void check_column(const TableColumn& column) {
  check_argument(std::isfinite(column.origin) && std::isfinite(column.fill.value_or(0)), kSchema, [&] {
    return shown_column(column.name) + " has an origin or fill that is not finite";
  });
  check_argument(std::abs(column.fill.value_or(column.origin) - column.origin) <=
                     static_cast<double>(std::numeric_limits<Real>::max()),
                 kSchema,
                 [&] { return shown_column(column.name) + " has a fill that does not fit into " + kRealName; });
  const double fill = column.fill.value_or(0);
  const bool is_place = fill >= 0 && fill < static_cast<double>(column.categories.size()) && fill == std::floor(fill);
  check_argument(column.is_number() || is_place, kSchema, [&] {
    return shown_column(column.name) + " has a fill that is no place in its categories";
  });
  check_distinct(column.categories, shown_column(column.name));
}

// The names of columns that a table must have, each once.
std::vector<std::string> needed_names(const TableSchema& schema) {
  std::vector<std::string> names;
  for (const TableColumn& column : schema.columns) names.push_back(column.name);
  names.push_back(schema.label);
  if (!schema.group.empty()) names.push_back(schema.group);
  return names;
}

}  // namespace

Index feature_count(const TableColumn& column) {
  const Index own = column.is_number() ? 1 : static_cast<Index>(column.categories.size()) - 1;
  return own + (column.has_mark() ? 1 : 0);
}

Index feature_count(const TableSchema& schema) {
  Index count = 0;
  for (const TableColumn& column : schema.columns) count += feature_count(column);
  return count;
}

std::vector<std::string> feature_names(const TableSchema& schema) {
  std::vector<std::string> names;
  for (const TableColumn& column : schema.columns) {
    if (column.is_number()) names.push_back(column.name);
    for (std::size_t k = 1; k < column.categories.size(); ++k)
      names.push_back(column.name + "=" + column.categories[k]);
    if (column.has_mark()) names.push_back(column.name + " missing");
  }
  return names;
}

std::vector<std::string> label_values(const TableSchema& schema) {
  if (schema.class_values.empty()) return schema.classes;
  std::vector<std::string> values;
  for (const auto& of_class : schema.class_values) values.insert(values.end(), of_class.begin(), of_class.end());
  return values;
}

std::vector<Index> classes_of_values(const TableSchema& schema) {
  std::vector<Index> classes;
  for (std::size_t k = 0; k < schema.classes.size(); ++k) {
    classes.insert(
        classes.end(), schema.class_values.empty() ? 1 : schema.class_values[k].size(), static_cast<Index>(k));
  }
  return classes;
}

void check_schema(const TableSchema& schema) {
  check_dialect(schema);
  check_argument(feature_count(schema) > 0, kSchema, "columns make no feature; there must be one at least");
  for (const TableColumn& column : schema.columns) check_column(column);
  check_classes_of(schema);
  check_distinct(schema.groups, "groups");
  check_argument(schema.group.empty() == schema.groups.empty(), kSchema, "group and groups must be given together");
  std::vector<std::string> names = needed_names(schema);
  for (const std::string& name : schema.places) {
    check_argument(!name.empty(), kSchema, "places holds an empty name");
  }
  const std::unordered_set<std::string_view> places(schema.places.begin(), schema.places.end());
  for (const std::string& name : names) {
    check_argument(!name.empty(), kSchema, "a column has no name");
    check_argument(
        places.empty() || places.contains(name), kSchema, [&] { return shown_column(name) + " is not among places"; });
  }
  names.insert(names.end(), schema.ignored.begin(), schema.ignored.end());
  check_distinct(names, "the list of columns, label, group and ignored");
  check_distinct(schema.places, "places");
}

const char* missing_rule_name(MissingRule rule) {
  switch (rule) {
    case MissingRule::kRefuse:
      return "refuse";
    case MissingRule::kDrop:
      return "drop";
    case MissingRule::kImpute:
      return "impute";
  }
  return "unknown";
}

}  // namespace fedstein
