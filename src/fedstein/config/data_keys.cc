// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/table_keys.h"
#include "fedstein/data/layout.h"

namespace fedstein {
namespace {

using Keys = std::vector<Setting>;

constexpr double kMostColumns = 1e6;

// A column by its name, or by its number from 0.
Setting column_key(const char* key, const char* help, Plurality plurality = Plurality::kOne) {
  return {.key = key,
          .standard = std::string(),
          .help = help,
          .least = 0,
          .most = kMostColumns,
          .or_integer = true,
          .plurality = plurality,
          .when_absent = plurality == Plurality::kOne ? WhenAbsent::kElsewhere : WhenAbsent::kStandard};
}

Setting list_key(const char* key, const SettingValue& item, const char* help) {
  return {.key = key, .standard = item, .help = help, .plurality = Plurality::kList};
}

// What a user says of a table.
Keys table_keys() {
  return {
      {.key = "labels",
       .standard = std::string("auto"),
       .help = "what the label is; binary: two classes, multiclass: more classes, regression: a number, counts: 0, 1, "
               "2, ...; auto: found in the file. For formats other than text, auto is binary with labels -1 and 1",
       .choices = {"auto", "binary", "multiclass", "regression", "counts"}},
      {.key = "format",
       .standard = std::string("text"),
       .help = "text: a table such as CSV or TSV; plain, gzip or bzip2",
       .choices = {"text", "libsvm", "idx", "matlab", "leaf"}},
      {.key = "separator",
       .standard = std::string(","),
       .help = "text: one character between columns, also \"tab\", or \"blank\" for any run of blanks and tabs; found "
               "in the file unless given",
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "decimal",
       .standard = std::string("."),
       .help = "text: the decimal mark; found in the file unless given",
       .choices = {".", ","},
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "header",
       .standard = false,
       .help = "text: whether the first line holds the columns' names; found in the file unless given",
       .when_absent = WhenAbsent::kElsewhere},
      column_key("label",
                 "text: the column to predict, by name or by number from 0; unless given, the last column that is not "
                 "ignored"),
      column_key("group",
                 "text: the column that says to whom a row belongs (hospital, patient, sensor), by name or number; for "
                 "partition = \"by-column\""),
      column_key("ignore", "text: columns to leave out, by name or number", Plurality::kList),
      column_key("categorical",
                 "text: columns whose numbers are codes and not amounts, by name or number; columns of words are "
                 "always categories",
                 Plurality::kList),
      {.key = "missing",
       .standard = std::string("refuse"),
       .help = "text: what to do with missing values (empty, NA, nan, null or ?); refuse the file, drop such rows, or "
               "impute: use the column's median and add a feature that is 1 where a value is missing",
       .choices = {"refuse", "drop", "impute"}},
      {.key = "test",
       .standard = std::string(),
       .help = "a second file with test rows, laid out like the dataset; all rows of the dataset are then used for "
               "training"},
  };
}

// What is found in a file and kept with a run; a networked federation must say it, because its server sees no file.
Keys settled_keys() {
  return {
      list_key("classes", std::string(), "text: the labels as the file writes them, in order; the second one is +1"),
      list_key("class_values",
               std::string(),
               "text, with columns: CLASS=VALUE for every value of the label, for classes that the file names "
               "differently or that join several values"),
      list_key("columns",
               std::string(),
               "text: the columns to use as features, in order; `fedstein data describe` writes this list"),
      list_key("categories",
               std::string(),
               "text, with columns: COLUMN=VALUE for every value of each categorical column; the first value is the "
               "reference"),
      list_key("fills",
               std::string(),
               "text, with columns: COLUMN=NUMBER, the value used for missing ones; for a categorical column the "
               "position of a category, from 0"),
      list_key("unmarked",
               std::string(),
               "text, with columns: the columns of fills that get no feature that marks missing values"),
      list_key("origins", std::string(), "text, with columns: COLUMN=NUMBER, subtracted when the column is read"),
      list_key("groups", std::string(), "text, with columns: the values of the column `group`, in order"),
      {.key = "width",
       .standard = Index{0},
       .help = "text, with columns and without a header: the number of columns in the file",
       .least = 0,
       .most = kMostColumns},
      list_key("names",
               std::string(),
               "text, with columns and without a header: the names of the file's columns, in order, instead of width"),
  };
}

Keys number_table_keys() {
  return {
      {.key = "label_column",
       .standard = Index{-1},
       .help = "text: the same as `label`, by number only; -1: the last column that is not ignored",
       .least = -1,
       .most = kMostColumns},
      {.key = "group_column",
       .standard = Index{-1},
       .help = "text: the same as `group`, by number only; -1: none",
       .least = -1,
       .most = kMostColumns},
      {.key = "ignored_columns",
       .standard = Index{0},
       .help = "text: the same as `ignore`, by number only",
       .least = 0,
       .most = kMostColumns,
       .plurality = Plurality::kList},
      list_key("labels_from",
               0.0,
               "all labels that occur in the file, as numbers; together with labels_to, which can join several labels "
               "to one class"),
      list_key("labels_to", 0.0, "what each label of labels_from becomes, in the same order: -1 and 1, or 0, 1, ..."),
  };
}

Keys other_format_keys() {
  const FileLayout standard;
  return {
      {.key = "features", .standard = Index{0}, .help = "libsvm: number of features", .least = 0, .most = 1e7},
      {.key = "rows_variable", .standard = standard.rows_variable, .help = "matlab: the variable that holds the rows"},
      {.key = "label_variable",
       .standard = standard.label_variable,
       .help = "matlab: the variable that holds the labels"},
      {.key = "label_file", .standard = std::string(), .help = "idx: the second file, which holds the labels"},
  };
}

Keys fixed_scaling_keys() {
  return {
      list_key("shift", 0.0, "scaling = \"fixed\": subtracted from each feature; one number per feature"),
      list_key(
          "spread", 1.0, "scaling = \"fixed\": each feature is then divided by it; one number per feature, none 0"),
      {.key = "target_shift", .standard = 0.0, .help = "scaling = \"fixed\": subtracted from a regression's target"},
      {.key = "target_spread",
       .standard = 1.0,
       .help = "scaling = \"fixed\": a regression's target is then divided by it; not 0"},
  };
}

}  // namespace

std::vector<Setting> data_keys() {
  Keys all;
  for (const Keys& part :
       {table_keys(), settled_keys(), number_table_keys(), other_format_keys(), fixed_scaling_keys()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace fedstein
