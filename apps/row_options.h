// SPDX-License-Identifier: Apache-2.0
// Where features and labels stand in the file given to predict, evaluate or calibrate. A model that remembers the
// columns of its training data needs none of this; for others these are the words of the configuration's table [data].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/data/load.h"
#include "fedstein/posterior/predictor.h"
#include "fedstein/posterior/row_source.h"

namespace CLI {
class App;
}

namespace fedstein {

struct RowOptions {
  std::string file = {};       // "-": the standard input
  std::string separator = {};  // empty: not given
  std::string decimal = {};
  bool header = false;
  std::vector<std::string> ignored = {};  // names, or numbers from 0
  std::optional<Index> label_column = {};
  std::string label_file = {};
  std::vector<std::string> label_map = {};  // FROM=TO
};

// The file's path, where "-" is the standard input.
std::string input_path(const std::string& file);

// DATA and the options of its columns; with labels those of the label too.
void add_row_options(CLI::App& verb, RowOptions& options, bool labelled);

// The options as words about this model's files. Throws InvalidArgument for what contradicts what the model remembers.
RowWords row_words(const RowOptions& options, const Posterior& posterior);

// Rows with the labels that the model knows; one sentence for a file that does not fit it.
Dataset labelled_rows(const RowOptions& options, const Posterior& posterior);

// Loads a model; says on stderr when its numbers had to be rounded to this program's.
Predictor load_predictor(const std::string& path);

}  // namespace fedstein
