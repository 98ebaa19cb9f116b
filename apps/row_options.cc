// SPDX-License-Identifier: Apache-2.0
#include "row_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "command_line.h"
#include "fedstein/base/instead_of.h"
#include "fedstein/data/error.h"
#include "fedstein/data/number.h"
#include "fedstein/experiment/trained.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/table/agreed_table.h"
#include "fedstein/table/understand.h"

namespace fedstein {
namespace {

// A run's folder holds models, one for each method.
void check_is_no_run(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  std::vector<std::string> models;
  for (const fs::path& place : {fs::path(path), fs::path(path) / kPosteriorFolder}) {
    for (fs::directory_iterator entry(place, problem), end; !problem && entry != end; entry.increment(problem)) {
      if (entry->path().extension() == ".fedstein") models.push_back(entry->path().string());
    }
  }
  if (models.empty()) return;
  std::sort(models.begin(), models.end());
  throw MissingInput("'" + path + "' is a folder; name a model in it: " + names_around("", models));
}

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

std::optional<char> one_character(const char* option, const std::string& given) {
  if (given.empty()) return {};
  check_argument(given.size() == 1, option, [&] { return "it is '" + given + "'; allowed: one character"; });
  return given.front();
}

std::optional<char> separator_of(const std::string& given) {
  if (const auto named = separator_named(given)) return named;
  check_argument(given.size() <= 1, "--separator", [&] {
    return "it is " + in_quotes(given) + "; allowed: one character, \\t (a tab) or blank";
  });
  return given.empty() ? std::nullopt : std::optional(given.front());
}

std::vector<Index> column_numbers(const std::vector<std::string>& words) {
  std::vector<Index> out;
  for (const std::string& word : words) {
    Index number = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    check_argument(error == std::errc() && end == word.data() + word.size() && number >= 0, "--ignore", [&] {
      return "it is '" + word + "'; the model knows no names of columns, and columns have numbers from 0";
    });
    out.push_back(number);
  }
  return out;
}

// More than another separator, with which a file is still laid out as the training data were.
bool has_text_words(const RowOptions& options) {
  return options.header || !options.ignored.empty();
}

bool knows_a_text(const Posterior& posterior) {
  return posterior.layout && posterior.layout->format == FileFormat::kText;
}

TextOptions text_options(const RowOptions& options) {
  return {.separator = separator_of(options.separator).value_or(','),
          .ignored_columns = column_numbers(options.ignored),
          .header = options.header};
}

// What a model with a table needs nobody to say.
void refuse_word(bool given, const char* option) {
  check_argument(!given, option, [&] {
    return std::string("the model remembers what its columns are; leave ") + option + " out";
  });
}

Dataset rows_of_layout(const RowOptions& options, const Posterior& posterior) {
  OwnFile file{.name = options.file, .labels = posterior.shape.labels, .layout = {}, .label_path = {}, .scaling = {}};
  const bool told = has_text_words(options) || options.label_column || !options.label_map.empty();
  if (!told && posterior.layout && looks_like(posterior.layout->format, options.file)) {
    file.layout = *posterior.layout;
    file.layout.text.separator = separator_of(options.separator).value_or(file.layout.text.separator);
    file.label_path = options.label_file;
    check_argument(file.layout.format != FileFormat::kIdx || !file.label_path.empty(),
                   "--label-file",
                   "is missing; files like the training data's keep their labels in a file of their own");
    return load_dataset_file(options.file, file);
  }
  file.layout.text = text_options(options);
  file.layout.label_column = options.label_column.value_or(kLastColumn);
  file.layout.labels = label_pairs(options.label_map);
  return load_dataset_file(options.file, file);
}

}  // namespace

std::string input_path(const std::string& file) {
  return file == "-" ? "/dev/stdin" : file;
}

void add_row_options(CLI::App& verb, RowOptions& options, bool labelled) {
  verb.add_option(
          "data",
          options.file,
          labelled ? "file with labelled rows, laid out like the training data; plain, gzip or bzip2; -: standard input"
                   : "file with rows, laid out like the training data, with or without the label; -: standard input")
      ->required()
      ->type_name("DATA");
  verb.add_option("--separator",
                  options.separator,
                  "character between columns, \\t for a tab; a blank stands for any run of blanks")
      ->type_name("CHAR");
  verb.add_option("--decimal", options.decimal, "decimal mark, . or ,")->type_name("CHAR");
  verb.add_option(
          "--ignore", options.ignored, "columns to leave out, by name; by number from 0 if the model knows no names")
      ->type_name("COLUMN");
  const std::string group = "For models that do not store their columns";
  verb.add_flag("--header", options.header, "the first line is skipped")->group(group);
  if (!labelled) return;
  verb.add_option("--label", options.label_column, "column of the labels, from 0; default: the last")
      ->check(whole_number(0))
      ->type_name("COLUMN")
      ->group(group);
  verb.add_option("--label-map", options.label_map, "translate the file's labels: 0=-1 1=1")
      ->type_name("FROM=TO")
      ->group(group);
  verb.add_option("--label-file", options.label_file, "the labels of an IDX file")->type_name("FILE")->group(group);
}

RowWords row_words(const RowOptions& options, const Posterior& posterior) {
  RowWords words;
  if (posterior.table) {
    refuse_word(options.header, "--header");
    refuse_word(options.label_column.has_value(), "--label");
    refuse_word(!options.label_map.empty(), "--label-map");
    words.separator = separator_of(options.separator);
    words.decimal = one_character("--decimal", options.decimal);
    words.ignored = options.ignored;
    return words;
  }
  check_argument(options.decimal.empty(), "--decimal", "it is for models that remember the columns of a table");
  words.separator = separator_of(options.separator);
  const bool is_told = has_text_words(options) || (words.separator && !knows_a_text(posterior));
  if (is_told) words.text = text_options(options);
  return words;
}

Dataset labelled_rows(const RowOptions& given, const Posterior& posterior) {
  RowOptions options = given;
  options.file = input_path(given.file);
  require_file(options.file);
  const RowWords words = row_words(options, posterior);
  PassedOver passed;
  Dataset rows =
      posterior.table
          ? read_agreed_table(
                options.file,
                *posterior.table,
                {.separator = words.separator, .decimal = words.decimal, .ignore = words.ignored, .passed = &passed})
          : rows_of_layout(options, posterior);
  if (const std::string remark = passed_over_remark(passed); !remark.empty()) {
    std::cerr << "note: " << options.file << ": " << remark << "\n";
  }
  if (rows.x.cols() != posterior.shape.features) {
    fail_file(options.file,
              "its rows have " + std::to_string(rows.x.cols()) + " features beside the label; the model has " +
                  std::to_string(posterior.shape.features) + " (--ignore leaves columns out)");
  }
  make_model(posterior)->check_data({rows.x, rows.y});
  return rows;
}

Predictor load_predictor(const std::string& path) {
  check_is_no_run(path);
  require_file(path);
  Posterior posterior = load_posterior(path);
  if (posterior.facts.precision == "double" && std::string(kRealName) == "float") {
    std::cerr << "note: " << path << " was trained in double precision; this program computes in single\n";
  }
  return Predictor(std::move(posterior));
}

}  // namespace fedstein
