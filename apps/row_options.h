// SPDX-License-Identifier: Apache-2.0
// Where features and labels stand in the file given to predict, evaluate or calibrate: the words of the configuration's
// table [data], as options.
#pragma once

#include <string>
#include <vector>

#include "fedstein/data/load.h"
#include "fedstein/posterior/predictor.h"

namespace CLI {
class App;
}

namespace fedstein {

struct RowOptions {
  std::string file = {};  // "-": the standard input
  std::string separator = ",";
  bool header = false;
  std::vector<Index> ignored = {};
  Index label_column = kLastColumn;
  std::vector<std::string> label_map = {};  // FROM=TO
};

// DATA and the options of its columns; with labels those of the label too.
void add_row_options(CLI::App& verb, RowOptions& options, bool labelled);

TextOptions text_options(const RowOptions& options);

// Rows with the labels that the model knows; one sentence for a file that does not fit it.
Dataset labelled_rows(const RowOptions& options, const Posterior& posterior);

// Loads a model; says on stderr when its numbers had to be rounded to this program's.
Predictor load_predictor(const std::string& path);

}  // namespace fedstein
