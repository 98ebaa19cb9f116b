// SPDX-License-Identifier: Apache-2.0
#include "understood_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fedstein/base/text.h"
#include "fedstein/config/table_settings.h"
#include "fedstein/experiment/table.h"
#include "readable.h"

namespace fedstein {
namespace {

// Of a column or a value's name in a table on a terminal.
constexpr std::size_t kMostOfName = 30;
constexpr std::size_t kMostValues = 5;
constexpr int kRangeDigits = 6;
constexpr std::size_t kMostSentences = 20;

std::string on_one_line(const std::string& text) {
  std::string out = readable(text, kMostOfName);
  for (std::size_t at = out.find('\n'); at != std::string::npos; at = out.find('\n', at)) out.replace(at, 1, "\\u000a");
  return out;
}

// 3,980
std::string grouped(Index number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string of_things(Index number, const std::string& thing) {
  return grouped(number) + " " + thing + (number == 1 ? "" : "s");
}

const char* separator_word(char separator) {
  switch (separator) {
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    case '|':
      return "bars";
    default:
      return "blanks";
  }
}

std::string values_of(const ColumnSummary& column) {
  if (column.values.empty() || column.kind == "number" || (column.kind == "constant" && column.role == "feature")) {
    if (column.kind != "number" && column.kind != "constant") return "";
    if (column.kind == "constant" && !column.values.empty()) return on_one_line(column.values.front().first);
    const std::string low = digits_text(column.low, kRangeDigits);
    return column.low == column.high ? low : low + " to " + digits_text(column.high, kRangeDigits);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(column.values.size(), kMostValues); ++i) {
    const auto& [value, count] = column.values[i];
    text += (i > 0 ? ", " : "") + on_one_line(value) + " (" + grouped(count) + ")";
  }
  const Index more = column.distinct - static_cast<Index>(std::min(column.values.size(), kMostValues));
  return more > 0 ? text + " and " + grouped(more) + " more" : text;
}

std::string columns_text(const UnderstoodTable& table, std::size_t most, bool rich) {
  Table out{.header = {"column", "role", "kind", "missing", "range, or values and rows"}, .text_columns = 5};
  const std::size_t shown = std::min(most, table.columns.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const ColumnSummary& column = table.columns[k];
    out.rows.push_back({{on_one_line(column.name)},
                        {column.role},
                        {column.kind},
                        {column.missing == 0 ? "" : grouped(column.missing)},
                        {values_of(column)}});
  }
  std::string text = to_text(out, rich);
  if (shown < table.columns.size()) {
    text +=
        "and " + of_things(static_cast<Index>(table.columns.size() - shown), "more column") + " (--columns shows)\n";
  }
  return text;
}

std::string sentences(const std::string& title, const std::vector<std::string>& all, std::size_t most) {
  if (all.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) text += "  " + readable(all[i]) + "\n";
  if (all.size() > most) text += "  and " + grouped(static_cast<Index>(all.size() - most)) + " more\n";
  return text;
}

}  // namespace

std::string understood_toml(const UnderstoodTable& table) {
  return readable(schema_toml(table.schema));
}

std::string understood_text(const UnderstoodTable& table, const std::string& path, std::size_t most, bool rich) {
  const bool is_usable = table.problems.empty();
  std::string text = readable(path) + ": ";
  if (!table.columns.empty()) {
    const TableDialect& dialect = table.schema.dialect;
    text += of_things(table.records, "row") + " and " + of_things(static_cast<Index>(table.columns.size()), "column") +
            ", separated by " + separator_word(dialect.separator) + ", numbers with a decimal " +
            (dialect.decimal == '.' ? "point" : "comma") +
            (dialect.header ? ", names in the first line" : ", no line of names") + "\n\n" +
            columns_text(table, most, rich);
  } else {
    text += "not understood yet\n";
  }
  text += sentences("Remarks", table.remarks, kMostSentences);
  text += sentences("Problems: the table cannot be used as it is", table.problems, kMostSentences);
  if (!is_usable) return text;
  text += "\n" + of_things(table.rows.x.rows(), "row") + " of " + of_things(table.rows.x.cols(), "feature") +
          " to learn from. As a table of an experiment:\n\n";
  if (table.columns.size() > most) return text + "  --toml prints it; it names every column\n";
  return text + understood_toml(table);
}

std::string understood_json(const UnderstoodTable& table, const std::string& path) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::array();
  for (const ColumnSummary& column : table.columns) {
    Json one = {{"name", column.name}, {"role", column.role}, {"kind", column.kind}, {"missing", column.missing}};
    if (column.kind == "number" || (column.kind == "constant" && column.values.empty())) {
      one["low"] = column.low;
      one["high"] = column.high;
    }
    if (column.distinct > 0) one["distinct"] = column.distinct;
    if (!column.values.empty()) {
      one["values"] = Json::array();
      for (const auto& [value, count] : column.values) one["values"].push_back({{"value", value}, {"rows", count}});
    }
    columns.push_back(std::move(one));
  }
  const bool is_usable = table.problems.empty();
  Json out = {{"file", path},
              {"usable", is_usable},
              {"separator", std::string(1, table.schema.dialect.separator)},
              {"decimal", std::string(1, table.schema.dialect.decimal)},
              {"header", table.schema.dialect.header},
              {"rows", table.records},
              {"left_out", table.dropped},
              {"columns", std::move(columns)},
              {"remarks", table.remarks},
              {"problems", table.problems}};
  if (is_usable) {
    out["labels"] = label_kind_name(table.schema.labels);
    out["classes"] = table.schema.classes;
    out["features"] = feature_names(table.schema);
    out["data"] = schema_toml(table.schema);
  }
  // A path need not be UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fedstein
