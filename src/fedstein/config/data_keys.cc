// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/table_keys.h"
#include "fedstein/data/layout.h"

namespace fedstein {

std::vector<Setting> data_keys() {
  const FileLayout standard;
  return {
      {.key = "labels",
       .standard = std::string("binary"),
       .help = "binary: -1 and 1; multiclass: 0, 1, ...; regression: numbers",
       .choices = {"binary", "multiclass", "regression"}},
      {.key = "format",
       .standard = std::string("text"),
       .help = "text: a table of numbers; plain, gzip or bzip2",
       .choices = {"text", "libsvm", "idx", "matlab", "leaf"}},
      {.key = "separator",
       .standard = std::string(","),
       .help = "text: one character between columns; a blank stands for any run of blanks and tabs"},
      {.key = "header", .standard = false, .help = "text: the first line is skipped"},
      {.key = "label_column",
       .standard = Index{-1},
       .help = "text: number of the label's column, from 0; -1: the last column that is not ignored",
       .least = -1,
       .most = 1e6},
      {.key = "group_column",
       .standard = Index{-1},
       .help = "text: number of the column that names each row's group (patient, sensor), from 0; -1: none",
       .least = -1,
       .most = 1e6},
      {.key = "ignored_columns",
       .standard = Index{0},
       .help = "text: columns to leave out, from 0",
       .least = 0,
       .most = 1e6,
       .plurality = Plurality::kList},
      {.key = "features", .standard = Index{0}, .help = "libsvm: number of features", .least = 0, .most = 1e7},
      {.key = "rows_variable", .standard = standard.rows_variable, .help = "matlab: the variable that holds the rows"},
      {.key = "label_variable",
       .standard = standard.label_variable,
       .help = "matlab: the variable that holds the labels"},
      {.key = "label_file", .standard = std::string(), .help = "idx: the second file, which holds the labels"},
      {.key = "shift",
       .standard = 0.0,
       .help = "scaling = \"fixed\": subtracted from each feature; one number per feature",
       .plurality = Plurality::kList},
      {.key = "spread",
       .standard = 1.0,
       .help = "scaling = \"fixed\": each feature is then divided by it; one number per feature, none 0",
       .plurality = Plurality::kList},
      {.key = "target_shift", .standard = 0.0, .help = "scaling = \"fixed\": subtracted from a regression's target"},
      {.key = "target_spread",
       .standard = 1.0,
       .help = "scaling = \"fixed\": a regression's target is then divided by it; not 0"},
      {.key = "labels_from",
       .standard = 0.0,
       .help = "all labels that occur in the file; needed when they are not those that `labels` describes",
       .plurality = Plurality::kList},
      {.key = "labels_to",
       .standard = 0.0,
       .help = "what each label of labels_from becomes, in the same order",
       .plurality = Plurality::kList},
  };
}

}  // namespace fedstein
