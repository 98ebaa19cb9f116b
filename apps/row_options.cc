// SPDX-License-Identifier: Apache-2.0
#include "row_options.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "fedstein/data/number.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"

namespace fedstein {
namespace {

double number_of(const std::string& text) {
  std::string problem;
  const Real value = parse_number(text, problem);
  check_argument(problem.empty(), "--label-map", problem);
  return static_cast<double>(value);
}

std::vector<LabelPair> label_pairs(const std::vector<std::string>& words) {
  std::vector<LabelPair> out;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    check_argument(equals != std::string::npos, "--label-map", [&] {
      return "'" + word + "' has no =; allowed: FROM=TO, such as 0=-1";
    });
    out.push_back({number_of(word.substr(0, equals)), number_of(word.substr(equals + 1))});
  }
  return out;
}

}  // namespace

void add_row_options(CLI::App& verb, RowOptions& options, bool labelled) {
  verb.add_option("data",
                  options.file,
                  labelled
                      ? "rows with labels, laid out as the training data: text, gzip or bzip2"
                      : "rows of features, laid out as the training data: text, gzip or bzip2; -: the standard input")
      ->required()
      ->type_name("DATA");
  verb.add_option("--separator", options.separator, "one character between columns; a blank: any run of blanks")
      ->type_name("CHAR");
  verb.add_flag("--header", options.header, "the first line is skipped");
  verb.add_option("--ignore", options.ignored, "columns to leave out, from 0")
      ->check(CLI::NonNegativeNumber)
      ->type_name("COLUMN");
  if (!labelled) return;
  verb.add_option("--label", options.label_column, "column of the labels, from 0; default: the last")
      ->check(CLI::NonNegativeNumber)
      ->type_name("COLUMN");
  verb.add_option("--label-map", options.label_map, "translate the file's labels: 0=-1 1=1")->type_name("FROM=TO");
}

TextOptions text_options(const RowOptions& options) {
  check_argument(options.separator.size() == 1, "--separator", [&] {
    return "it is '" + options.separator + "'; allowed: one character";
  });
  return {.separator = options.separator.front(), .ignored_columns = options.ignored, .header = options.header};
}

Dataset labelled_rows(const RowOptions& options, const Posterior& posterior) {
  OwnFile file{.name = options.file, .labels = posterior.shape.labels, .layout = {}, .label_path = {}, .scaling = {}};
  file.layout.text = text_options(options);
  file.layout.label_column = options.label_column;
  file.layout.labels = label_pairs(options.label_map);
  require_file(options.file);
  Dataset rows = load_dataset_file(options.file, file);
  if (rows.x.cols() != posterior.shape.features) {
    fail_file(options.file,
              "its rows have " + std::to_string(rows.x.cols()) + " features beside the label; the model has " +
                  std::to_string(posterior.shape.features) + " (--ignore leaves columns out)");
  }
  make_model(posterior)->check_data({rows.x, rows.y});
  return rows;
}

Predictor load_predictor(const std::string& path) {
  require_file(path);
  Posterior posterior = load_posterior(path);
  if (posterior.facts.precision == "double" && std::string(kRealName) == "float") {
    std::cerr << "note: " << path << " was trained in double precision; this program computes in single\n";
  }
  return Predictor(std::move(posterior));
}

}  // namespace fedstein
