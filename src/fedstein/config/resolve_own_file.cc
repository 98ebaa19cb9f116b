// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include "fedstein/config/names.h"
#include "fedstein/config/resolve_data.h"
#include "fedstein/table/understand.h"

namespace fedstein {
namespace {

constexpr std::array kScalingKeys = {"shift", "spread", "target_shift", "target_spread"};

bool is_scaling_key(const std::string& key) {
  return std::find(kScalingKeys.begin(), kScalingKeys.end(), key) != kScalingKeys.end();
}

// Some keys speak of one format only.
void note_formats(const TableView& data, const std::string& format, Resolution& resolution) {
  static const std::map<std::string, std::string> formats = {
      {"separator", "text"},       {"header", "text"},      {"label_column", "text"},    {"group_column", "text"},
      {"ignored_columns", "text"}, {"decimal", "text"},     {"label", "text"},           {"group", "text"},
      {"ignore", "text"},          {"categorical", "text"}, {"missing", "text"},         {"classes", "text"},
      {"columns", "text"},         {"categories", "text"},  {"fills", "text"},           {"unmarked", "text"},
      {"origins", "text"},         {"groups", "text"},      {"width", "text"},           {"class_values", "text"},
      {"names", "text"},           {"features", "libsvm"},  {"rows_variable", "matlab"}, {"label_variable", "matlab"},
      {"label_file", "idx"}};
  if (data.section() == nullptr) return;
  for (const Entry& entry : data.section()->entries) {
    if (is_scaling_key(entry.key)) continue;
    const auto wanted = formats.find(entry.key);
    const bool has_effect = wanted == formats.end() || wanted->second == format;
    const std::string why_not = has_effect ? "" : "it is for the format " + wanted->second + " only";
    resolution.effects.note(entry.value, "data." + entry.key, has_effect, why_not);
  }
}

double number_in(const Value& value) {
  const auto* integer = std::get_if<Index>(&value.data);
  return integer == nullptr ? std::get<double>(value.data) : static_cast<double>(*integer);
}

std::vector<LabelPair> resolve_labels(const TableView& data, Mistakes& mistakes) {
  const ValueList from = data.list("labels_from");
  const ValueList to = data.list("labels_to");
  std::vector<LabelPair> out;
  if (from.size() != to.size()) {
    const Value* given = data.given(data.given("labels_to") == nullptr ? "labels_from" : "labels_to");
    mistakes.add(given->line,
                 "data.labels_to",
                 "has " + std::to_string(to.size()) + " labels and labels_from " + std::to_string(from.size()) +
                     "; they must be as many");
    return out;
  }
  for (std::size_t i = 0; i < from.size(); ++i) out.push_back({number_in(from[i]), number_in(to[i])});
  return out;
}

// Numbers of the rule `fixed`. Whether they are as many as the features is known when the file is read.
GivenScaling resolve_scaling(const TableView& data, const std::string& rule, Resolution& resolution) {
  GivenScaling out;
  const bool is_fixed = rule == "fixed";
  const Index line = data.section() == nullptr ? 0 : data.section()->line;
  for (const char* key : kScalingKeys) {
    const Value* given = data.given(key);
    if (given == nullptr) continue;
    resolution.effects.note(
        *given, std::string("data.") + key, is_fixed, is_fixed ? "" : "it is for experiment.scaling = \"fixed\" only");
  }
  if (!is_fixed) return out;
  for (const Value& value : data.list("shift")) out.shift.push_back(number_in(value));
  for (const Value& value : data.list("spread")) out.spread.push_back(number_in(value));
  out.target_shift = data.number("target_shift");
  out.target_spread = data.number("target_spread");
  if (out.shift.empty() || out.shift.size() != out.spread.size()) {
    resolution.mistakes.add(line,
                            "data.shift",
                            "has " + std::to_string(out.shift.size()) + " numbers and data.spread " +
                                std::to_string(out.spread.size()) +
                                "; scaling = \"fixed\" needs one of each for every feature");
  }
  const bool has_zero = std::find(out.spread.begin(), out.spread.end(), 0.0) != out.spread.end();
  if (has_zero || out.target_spread == 0) {
    resolution.mistakes.add(
        line, has_zero ? "data.spread" : "data.target_spread", "holds 0; allowed: any other number");
  }
  return out;
}

// labels_from is for tables of numbers, which are read by places.
void refuse_names(const TableView& data, Mistakes& mistakes) {
  for (const char* key :
       {"label", "group", "ignore", "categorical", "classes", "class_values", "columns", "names", "decimal"}) {
    const Value* given = data.given(key);
    if (given == nullptr) continue;
    mistakes.refuse(*given,
                    std::string("data.") + key,
                    "it does not go with labels_from, for which columns have numbers only: label_column, group_column, "
                    "ignored_columns; without labels_from, classes are found in the file");
  }
}

}  // namespace

OwnFile resolve_own_file(const Point& point, Resolution& resolution) {
  const TableView data(point.document, "data");
  Mistakes& mistakes = resolution.mistakes;
  const std::string format = data.text("format");
  const Index line = data.section() == nullptr ? point.line : data.section()->line;
  note_formats(data, format, resolution);

  OwnFile file;
  file.labels = data.text("labels") == "auto" ? LabelKind::kBinary : label_kind_named(data.text("labels"));
  file.layout.format = format_named(format);
  file.layout.text.header = data.flag("header");
  const std::string separator = data.text("separator");
  if (const auto named = separator_named(separator)) {
    file.layout.text.separator = *named;
  } else if (separator.size() == 1) {
    file.layout.text.separator = separator.front();
  } else {
    mistakes.refuse(
        *data.given("separator"), "data.separator", "allowed: one character, such as \";\", \"tab\" or \"blank\"");
  }
  for (const Value& column : data.list("ignored_columns")) {
    file.layout.text.ignored_columns.push_back(std::get<Index>(column.data));
  }
  file.layout.label_column = data.integer("label_column") < 0 ? kLastColumn : data.integer("label_column");
  file.layout.group_column = data.integer("group_column") < 0 ? kNoColumn : data.integer("group_column");
  if (!data.list("labels_from").empty()) refuse_names(data, mistakes);
  file.layout.features = data.integer("features");
  file.layout.rows_variable = data.text("rows_variable");
  file.layout.label_variable = data.text("label_variable");
  file.layout.labels = resolve_labels(data, mistakes);
  file.scaling = resolve_scaling(data, TableView(point.document, "experiment").text("scaling"), resolution);
  // A served run is stored without it: its agents knew theirs.
  const bool agents_know = resolution.options.networked || !resolution.options.refuse_idle_keys;
  if (!resolution.options.networked) file.label_path = data.text("label_file");
  if (format == "idx" && file.label_path.empty() && !agents_know) {
    mistakes.add(line, "data.label_file", "is missing; the format idx keeps the labels in a file of their own");
  }
  if (format == "libsvm" && file.layout.features == 0) {
    mistakes.add(line, "data.features", "is missing; the format libsvm does not say how many there are");
  }
  return file;
}

}  // namespace fedstein
