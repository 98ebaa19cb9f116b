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
       .help = "text: from 0; -1: the last one that is not ignored",
       .least = -1,
       .most = 1e6},
      {.key = "group_column",
       .standard = Index{-1},
       .help = "text: patient, sensor or the like, for by-column; from 0; -1: none",
       .least = -1,
       .most = 1e6},
      {.key = "ignored_columns",
       .standard = Index{0},
       .help = "text: columns to leave out, from 0",
       .least = 0,
       .most = 1e6,
       .plurality = Plurality::kList},
      {.key = "features", .standard = Index{0}, .help = "libsvm: how many there are", .least = 0, .most = 1e7},
      {.key = "rows_variable", .standard = standard.rows_variable, .help = "matlab: the variable that holds the rows"},
      {.key = "label_variable", .standard = standard.label_variable, .help = "matlab: the one that holds the labels"},
      {.key = "label_file", .standard = std::string(), .help = "idx: the second file, which holds the labels"},
      {.key = "shift",
       .standard = 0.0,
       .help = "scaling = \"fixed\": what is subtracted from each feature, one number per feature",
       .plurality = Plurality::kList},
      {.key = "spread",
       .standard = 1.0,
       .help = "scaling = \"fixed\": what each feature is then divided by; none may be 0",
       .plurality = Plurality::kList},
      {.key = "target_shift", .standard = 0.0, .help = "scaling = \"fixed\": the same for a regression's target"},
      {.key = "target_spread",
       .standard = 1.0,
       .help = "scaling = \"fixed\": the same for a regression's target; not 0"},
      {.key = "labels_from",
       .standard = 0.0,
       .help = "every label of the file, where they are not ours",
       .plurality = Plurality::kList},
      {.key = "labels_to",
       .standard = 0.0,
       .help = "what the labels of labels_from mean to us, in the same order",
       .plurality = Plurality::kList},
  };
}

}  // namespace fedstein
