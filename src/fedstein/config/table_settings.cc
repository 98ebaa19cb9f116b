// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/table_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "fedstein/config/names.h"
#include "fedstein/config/toml_text.h"
#include "fedstein/numeric/check.h"
#include "fedstein/table/names.h"

namespace fedstein {
namespace {

ColumnName column_of(const Value& value) {
  if (const auto* number = std::get_if<Index>(&value.data)) return *number;
  return *value.text();
}

std::vector<ColumnName> columns_of(const TableView& data, const char* by_name, const char* by_number) {
  std::vector<ColumnName> out;
  for (const char* key : {by_name, by_number}) {
    if (key == nullptr) continue;
    for (const Value& value : data.list(key)) out.push_back(column_of(value));
  }
  return out;
}

std::optional<ColumnName> column_of(const TableView& data, const char* by_name, const char* by_number) {
  if (const Value* given = data.given(by_name)) return column_of(*given);
  const Value* number = data.given(by_number);
  if (number == nullptr || std::get<Index>(number->data) < 0) return {};
  return column_of(*number);
}

std::vector<std::string> texts(const TableView& data, const char* key) {
  std::vector<std::string> out;
  for (const Value& value : data.list(key)) out.push_back(*value.text());
  return out;
}

MissingRule missing_named(const std::string& name) {
  for (const MissingRule rule : {MissingRule::kDrop, MissingRule::kImpute}) {
    if (name == missing_rule_name(rule)) return rule;
  }
  return MissingRule::kRefuse;
}

std::string name_of(const ColumnName& column, const std::vector<std::string>& places) {
  const auto* number = std::get_if<Index>(&column);
  if (number == nullptr) return std::get<std::string>(column);
  const auto place = static_cast<std::size_t>(*number);
  return place < places.size() ? places[place] : place_name(static_cast<std::size_t>(*number));
}

LabelKind kind_by_classes(const std::vector<std::string>& classes) {
  if (classes.empty()) return LabelKind::kRegression;
  return classes.size() == 2 ? LabelKind::kBinary : LabelKind::kMulticlass;
}

// COLUMN=VALUE. A = or \ in the column's name has a \ before it, so that there is one way only to read the item.
std::string pair_text(const std::string& column, const std::string& value) {
  std::string out;
  for (const char c : column) {
    if (c == '=' || c == '\\') out += '\\';
    out += c;
  }
  return out + "=" + value;
}

// The column's name; `value` is what stands behind the =. Nothing where there is none.
std::optional<std::string> pair_name(const std::string& text, std::string& value) {
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '=') {
      value = text.substr(at + 1);
      return name;
    }
    if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '=' || text[at + 1] == '\\')) ++at;
    name += text[at];
  }
  return {};
}

// The items COLUMN=VALUE of a key, each handed to the column it names.
template <typename Take>
void for_each_pair(const TableView& data, const char* key, TableSchema& schema, Mistakes& mistakes, const Take& take) {
  std::unordered_map<std::string_view, TableColumn*> by_name;
  for (TableColumn& column : schema.columns) by_name.emplace(column.name, &column);
  for (const Value& item : data.list(key)) {
    std::string value;
    const std::optional<std::string> name = pair_name(*item.text(), value);
    const auto named = name ? by_name.find(*name) : by_name.end();
    const std::string place = std::string("data.") + key;
    if (named == by_name.end()) {
      mistakes.refuse(item, place, "allowed: COLUMN=VALUE with a column of data.columns");
    } else if (!take(*named->second, value)) {
      mistakes.refuse(item, place, "allowed: COLUMN=NUMBER");
    }
  }
}

// The items CLASS=VALUE. A class may hold a =; the longest that fits is meant.
std::vector<std::vector<std::string>> class_values(const TableView& data,
                                                   const std::vector<std::string>& classes,
                                                   Mistakes& mistakes) {
  const ValueList items = data.list("class_values");
  std::vector<std::vector<std::string>> out(items.empty() ? 0 : classes.size());
  for (const Value& item : items) {
    const std::string& text = *item.text();
    std::size_t named = classes.size();
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const bool fits = text.starts_with(classes[k] + "=");
      if (fits && (named == classes.size() || classes[k].size() > classes[named].size())) named = k;
    }
    if (named == classes.size()) {
      mistakes.refuse(item, "data.class_values", "allowed: CLASS=VALUE with a class of data.classes");
    } else {
      out[named].push_back(text.substr(classes[named].size() + 1));
    }
  }
  return out;
}

// The columns of a file without a header.
std::vector<std::string> places(const TableView& data, Mistakes& mistakes) {
  std::vector<std::string> out = texts(data, "names");
  const Value* width = data.given("width");
  if (!out.empty() && width != nullptr && data.integer("width") != static_cast<Index>(out.size())) {
    mistakes.refuse(*width, "data.width", "data.names has " + std::to_string(out.size()) + "; leave it out");
  }
  if (out.empty()) out.resize(static_cast<std::size_t>(data.integer("width")));
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (out[k].empty()) out[k] = place_name(k);
  }
  return out;
}

std::optional<double> number_in_text(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !std::isfinite(value)) return {};
  return value;
}

std::string exact_text(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

Value text_item(const std::string& text) {
  return {.data = text};
}

Value list_item(const std::vector<std::string>& texts) {
  ValueList items;
  for (const std::string& text : texts) items.push_back(text_item(text));
  return {.data = items};
}

}  // namespace

TableOptions table_options(const TableView& data, Mistakes& mistakes) {
  TableOptions out;
  if (const Value* separator = data.given("separator")) {
    out.separator = separator_named(*separator->text());
    if (!out.separator && separator->text()->size() == 1) out.separator = separator->text()->front();
    if (!out.separator) mistakes.refuse(*separator, "data.separator", "allowed: one character, \"tab\" or \"blank\"");
  }
  if (const Value* decimal = data.given("decimal")) out.decimal = decimal->text()->front();
  if (data.given("header") != nullptr) out.header = data.flag("header");
  out.label = column_of(data, "label", "label_column");
  out.group = column_of(data, "group", "group_column");
  out.ignore = columns_of(data, "ignore", "ignored_columns");
  out.categorical = columns_of(data, "categorical", nullptr);
  if (data.text("labels") != "auto") out.labels = label_kind_named(data.text("labels"));
  out.classes = texts(data, "classes");
  out.groups = texts(data, "groups");
  out.missing = missing_named(data.text("missing"));
  return out;
}

std::optional<TableSchema> settled_schema(const TableView& data, const TableOptions& options, Mistakes& mistakes) {
  const Value* columns = data.given("columns");
  if (columns == nullptr) {
    for (const char* key : {"class_values", "names"}) {
      if (const Value* given = data.given(key))
        mistakes.refuse(*given, std::string("data.") + key, "it needs data.columns");
    }
    return {};
  }
  TableSchema out;
  out.places = places(data, mistakes);
  out.dialect = {.separator = options.separator.value_or(','),
                 .decimal = options.decimal.value_or('.'),
                 .header = options.header.value_or(out.places.empty())};
  for (const std::string& name : texts(data, "columns")) out.columns.push_back({.name = name});
  for_each_pair(data, "categories", out, mistakes, [](TableColumn& column, const std::string& value) {
    column.categories.push_back(value);
    return true;
  });
  for_each_pair(data, "fills", out, mistakes, [](TableColumn& column, const std::string& value) {
    column.fill = number_in_text(value);
    return column.fill.has_value();
  });
  for (const Value& item : data.list("unmarked")) {
    const auto column = std::find_if(
        out.columns.begin(), out.columns.end(), [&](const TableColumn& each) { return each.name == *item.text(); });
    if (column == out.columns.end() || !column->fill) {
      mistakes.refuse(item, "data.unmarked", "allowed: a column of data.fills");
    } else {
      column->marks_missing = false;
    }
  }
  for_each_pair(data, "origins", out, mistakes, [](TableColumn& column, const std::string& value) {
    const std::optional<double> number = number_in_text(value);
    column.origin = number.value_or(0);
    return number.has_value();
  });
  if (options.label) {
    out.label = name_of(*options.label, out.places);
  } else {
    mistakes.add(columns->line, "data.label", "is missing; with data.columns the column to learn must be named");
  }
  out.classes = options.classes;
  out.class_values = class_values(data, out.classes, mistakes);
  out.labels = options.labels.value_or(kind_by_classes(out.classes));
  if (options.group) out.group = name_of(*options.group, out.places);
  out.groups = options.groups;
  for (const ColumnName& column : options.ignore) out.ignored.push_back(name_of(column, out.places));
  out.missing = options.missing;
  try {
    check_schema(out);
  } catch (const InvalidArgument& error) {
    mistakes.add(columns->line, "data", std::string("fails: ") + error.what());
    return {};
  }
  return out;
}

ValueTable schema_entries(const TableSchema& schema) {
  ValueTable out;
  const auto add = [&](const char* key, Value value) { out.push_back({key, std::move(value)}); };
  const auto add_list = [&](const char* key, const std::vector<std::string>& items) {
    if (!items.empty()) add(key, list_item(items));
  };
  add("labels", text_item(label_kind_name(schema.labels)));
  add("separator", text_item(std::string(1, schema.dialect.separator)));
  add("decimal", text_item(std::string(1, schema.dialect.decimal)));
  add("header", {.data = schema.dialect.header});
  add("label", text_item(schema.label));
  if (!schema.group.empty()) add("group", text_item(schema.group));
  add_list("ignore", schema.ignored);
  add("missing", text_item(missing_rule_name(schema.missing)));
  add_list("classes", schema.classes);
  std::vector<std::string> values;
  for (std::size_t k = 0; k < schema.class_values.size(); ++k) {
    for (const std::string& value : schema.class_values[k]) values.push_back(schema.classes[k] + "=" + value);
  }
  add_list("class_values", values);
  std::vector<std::string> names;
  std::vector<std::string> categories;
  std::vector<std::string> fills;
  std::vector<std::string> unmarked;
  std::vector<std::string> origins;
  for (const TableColumn& column : schema.columns) {
    names.push_back(column.name);
    for (const std::string& value : column.categories) categories.push_back(pair_text(column.name, value));
    if (column.fill && !column.marks_missing) unmarked.push_back(column.name);
    if (column.fill) fills.push_back(pair_text(column.name, exact_text(*column.fill)));
    if (column.origin != 0) origins.push_back(pair_text(column.name, exact_text(column.origin)));
  }
  add("columns", list_item(names));
  add_list("categories", categories);
  add_list("fills", fills);
  add_list("unmarked", unmarked);
  add_list("origins", origins);
  add_list("groups", schema.groups);
  bool has_names = false;
  for (std::size_t k = 0; k < schema.places.size(); ++k) {
    has_names = has_names || schema.places[k] != place_name(k);
  }
  if (has_names) {
    add_list("names", schema.places);
  } else if (!schema.places.empty()) {
    add("width", {.data = static_cast<Index>(schema.places.size())});
  }
  return out;
}

std::string schema_toml(const TableSchema& schema) {
  std::string out = "[data]\n";
  for (const Entry& entry : schema_entries(schema)) out += toml_key(entry.key) + " = " + toml_value(entry.value) + "\n";
  return out;
}

void write_back_tables(const Plan& plan, Document& document) {
  constexpr std::array kReplaced = {"label_column", "group_column", "ignored_columns", "categorical"};
  std::vector<const DatasetPlan*> tables;
  for (const CasePlan& each : plan.cases) {
    if (each.dataset.table) tables.push_back(&each.dataset);
  }
  if (tables.empty()) return;
  const bool alike =
      tables.size() == plan.cases.size() && std::all_of(tables.begin(), tables.end(), [&](const DatasetPlan* each) {
        return each->name == tables.front()->name && each->table == tables.front()->table;
      });
  if (alike) {
    Section& data = document.tables["data"];
    for (const char* key : kReplaced) drop(data.entries, key);
    for (Entry& entry : schema_entries(*tables.front()->table)) set(data.entries, entry.key, std::move(entry.value));
    return;
  }
  if (plan.cases.size() != document.cases.size()) return;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    if (!plan.cases[i].dataset.table) continue;
    for (Entry& entry : schema_entries(*plan.cases[i].dataset.table)) {
      set(document.cases[i].overrides, Override{"data." + entry.key, std::move(entry.value)});
    }
  }
}

}  // namespace fedstein
