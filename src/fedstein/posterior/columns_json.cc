// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/columns_json.h"

#include <array>
#include <utility>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

using ColumnsJson = nlohmann::ordered_json;
using Names = std::vector<std::string>;

constexpr const char* kColumns = "header";

constexpr std::array kAllLabelKinds = {
    LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kRegression, LabelKind::kCounts};
constexpr std::array kMissingRules = {MissingRule::kRefuse, MissingRule::kDrop, MissingRule::kImpute};
constexpr std::array<std::pair<FileFormat, const char*>, 5> kFormatNames = {{
    {FileFormat::kText, "text"},
    {FileFormat::kLibsvm, "libsvm"},
    {FileFormat::kIdx, "idx"},
    {FileFormat::kMatlab, "matlab"},
    {FileFormat::kLeaf, "leaf"},
}};

char character(const ColumnsJson& json) {
  const auto text = json.get<std::string>();
  check_argument(text.size() == 1, kColumns, "a separator or decimal mark is not one character");
  return text.front();
}

MissingRule missing_named(const std::string& name) {
  for (const MissingRule rule : kMissingRules) {
    if (name == missing_rule_name(rule)) return rule;
  }
  refuse(kColumns, "there is no rule '" + name + "' for missing values");
}

FileFormat format_named_in_header(const std::string& name) {
  for (const auto& [format, known] : kFormatNames) {
    if (name == known) return format;
  }
  refuse(kColumns, "there is no file format '" + name + "'");
}

ColumnsJson column_json(const TableColumn& column) {
  ColumnsJson out = {{"name", column.name}};
  if (!column.categories.empty()) out["categories"] = column.categories;
  if (column.fill) out["fill"] = *column.fill;
  if (!column.marks_missing) out["marks_missing"] = false;
  if (column.origin != 0) out["origin"] = column.origin;
  return out;
}

TableColumn column_from(const ColumnsJson& json) {
  TableColumn out{.name = json.at("name")};
  if (json.contains("categories")) out.categories = json.at("categories").get<Names>();
  if (json.contains("fill")) out.fill = json.at("fill").get<double>();
  if (json.contains("marks_missing")) out.marks_missing = json.at("marks_missing").get<bool>();
  if (json.contains("origin")) out.origin = json.at("origin");
  return out;
}

}  // namespace

LabelKind labels_named(const std::string& name) {
  for (const LabelKind kind : kAllLabelKinds) {
    if (name == label_kind_name(kind)) return kind;
  }
  refuse(kColumns, "there are no labels '" + name + "'");
}

ColumnsJson table_json(const TableSchema& table) {
  ColumnsJson columns = ColumnsJson::array();
  for (const TableColumn& column : table.columns) columns.push_back(column_json(column));
  ColumnsJson out = {{"separator", std::string(1, table.dialect.separator)},
                     {"decimal", std::string(1, table.dialect.decimal)},
                     {"header", table.dialect.header},
                     {"columns", columns},
                     {"label", table.label},
                     {"labels", label_kind_name(table.labels)},
                     {"classes", table.classes},
                     {"group", table.group},
                     {"groups", table.groups},
                     {"ignored", table.ignored},
                     {"missing", missing_rule_name(table.missing)},
                     {"places", table.places}};
  if (!table.class_values.empty()) out["class_values"] = table.class_values;
  return out;
}

TableSchema table_from(const ColumnsJson& json) {
  TableSchema out;
  out.dialect = {character(json.at("separator")), character(json.at("decimal")), json.at("header")};
  for (const ColumnsJson& column : json.at("columns")) out.columns.push_back(column_from(column));
  out.label = json.at("label");
  out.labels = labels_named(json.at("labels"));
  out.classes = json.at("classes").get<Names>();
  out.group = json.at("group");
  out.groups = json.at("groups").get<Names>();
  out.ignored = json.at("ignored").get<Names>();
  out.missing = missing_named(json.at("missing"));
  out.places = json.at("places").get<Names>();
  if (json.contains("class_values")) out.class_values = json.at("class_values").get<std::vector<Names>>();
  return out;
}

ColumnsJson layout_json(const FileLayout& layout) {
  ColumnsJson labels = ColumnsJson::array();
  for (const LabelPair& pair : layout.labels) labels.push_back(ColumnsJson::array({pair.from, pair.to}));
  std::string format;
  for (const auto& [known, name] : kFormatNames) {
    if (known == layout.format) format = name;
  }
  return {{"format", format},
          {"separator", std::string(1, layout.text.separator)},
          {"header", layout.text.header},
          {"ignored_columns", layout.text.ignored_columns},
          {"label_column", layout.label_column},
          {"group_column", layout.group_column},
          {"features", layout.features},
          {"rows_variable", layout.rows_variable},
          {"label_variable", layout.label_variable},
          {"labels", labels}};
}

FileLayout layout_from(const ColumnsJson& json) {
  FileLayout out;
  out.format = format_named_in_header(json.at("format"));
  out.text.separator = character(json.at("separator"));
  out.text.header = json.at("header");
  out.text.ignored_columns = json.at("ignored_columns").get<std::vector<Index>>();
  for (const Index column : out.text.ignored_columns) {
    check_argument(column >= 0, kColumns, "a column that is ignored is below 0");
  }
  out.label_column = json.at("label_column");
  out.group_column = json.at("group_column");
  out.features = json.at("features");
  out.rows_variable = json.at("rows_variable");
  out.label_variable = json.at("label_variable");
  for (const ColumnsJson& pair : json.at("labels")) {
    check_argument(pair.is_array() && pair.size() == 2, kColumns, "a label's translation is no pair");
    out.labels.push_back({pair.at(0), pair.at(1)});
  }
  return out;
}

}  // namespace fedstein
