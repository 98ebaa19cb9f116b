// SPDX-License-Identifier: Apache-2.0
#include "table_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command_line.h"
#include "fedstein/numeric/check.h"
#include "readable.h"

namespace fedstein {
namespace {

// Beyond it no file has columns, and a number would not fit.
constexpr std::size_t kMostDigits = 9;

std::optional<LabelKind> kind_named(const std::string& name) {
  for (const LabelKind kind :
       {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kRegression, LabelKind::kCounts}) {
    if (name == label_kind_name(kind)) return kind;
  }
  return {};
}

std::vector<ColumnName> columns_named(const std::vector<std::string>& words) {
  std::vector<ColumnName> out;
  for (const std::string& word : words) out.push_back(column_named(word));
  return out;
}

}  // namespace

void add_table_words(CLI::App& verb, TableWords& words) {
  verb.add_option("--label", words.label, "the column to predict; default: the last")->type_name("COLUMN");
  verb.add_option("--labels", words.labels, "kind of label; default: auto, found in the file")
      ->check(one_of({"auto", "binary", "multiclass", "regression", "counts"}))
      ->type_name("KIND");
  verb.add_option("--classes", words.classes, "the classes in order; of two classes the second is +1")
      ->type_name("NAME...");
  verb.add_option("--group", words.group, "the column that says to whom a row belongs (hospital, patient, sensor)")
      ->type_name("COLUMN");
  verb.add_option("--ignore", words.ignore, "columns to leave out, by name or number from 0")->type_name("COLUMN...");
  verb.add_option("--categorical", words.categorical, "columns whose numbers are codes and not amounts")
      ->type_name("COLUMN...");
  verb.add_option("--missing",
                  words.missing,
                  "what to do with missing values: refuse the file (default), drop the rows, or impute")
      ->check(one_of({"refuse", "drop", "impute"}))
      ->type_name("RULE");
  verb.add_option("--separator", words.separator, "one of , ; | \\t or blank; default: found in the file")
      ->type_name("CHAR");
  verb.add_option("--decimal", words.decimal, "the decimal mark; default: found in the file")
      ->check(one_of({".", ","}))
      ->type_name("CHAR");
  CLI::Option* header =
      verb.add_flag("--header", words.header, "the first line holds names; default: found in the file");
  verb.add_flag("--no-header", words.no_header, "the first line is a row")->excludes(header);
}

ColumnName column_named(const std::string& word) {
  const bool is_number = !word.empty() && word.size() <= kMostDigits &&
                         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) return static_cast<Index>(std::stol(word));
  const bool is_quoted = word.size() > 1 && word.front() == '"' && word.back() == '"';
  return is_quoted ? word.substr(1, word.size() - 2) : word;
}

TableOptions table_options(const TableWords& words) {
  TableOptions out;
  if (!words.separator.empty()) {
    out.separator = separator_named(words.separator);
    check_argument(out.separator.has_value(), "--separator", [&] {
      return "it is '" + readable(words.separator, 40) + "'; allowed: , ; | \\t (a tab) or blank";
    });
  }
  if (!words.decimal.empty()) out.decimal = words.decimal.front();
  if (words.header || words.no_header) out.header = words.header;
  if (!words.label.empty()) out.label = column_named(words.label);
  if (!words.group.empty()) out.group = column_named(words.group);
  out.labels = kind_named(words.labels);
  out.classes = words.classes;
  out.ignore = columns_named(words.ignore);
  out.categorical = columns_named(words.categorical);
  for (const MissingRule rule : {MissingRule::kDrop, MissingRule::kImpute}) {
    if (words.missing == missing_rule_name(rule)) out.missing = rule;
  }
  return out;
}

}  // namespace fedstein
