// SPDX-License-Identifier: Apache-2.0
#include "verbs/data_describe.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "command_line.h"
#include "fedstein/base/exit_codes.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/numeric/check.h"
#include "row_options.h"
#include "table_words.h"
#include "terminal.h"
#include "understood_text.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct DescribeArguments {
  std::string file = {};
  TableWords words = {};
  bool json = false;
  bool toml = false;
  std::size_t columns = 40;  // fits on a screen or two
};

int describe(const DescribeArguments& arguments) {
  const TableOptions options = table_options(arguments.words);
  const std::string file = input_path(arguments.file);
  require_file(file);
  const UnderstoodTable table = describe_table(file, options);
  const bool is_usable = table.problems.empty();
  if (arguments.json) {
    std::cout << understood_json(table, arguments.file);
  } else if (arguments.toml && is_usable) {
    std::cout << understood_toml(table);
  } else {
    // Nobody redirects problems into a configuration unseen.
    (arguments.toml ? std::cerr : std::cout)
        << understood_text(table, arguments.file, arguments.columns, !arguments.toml && stdout_is_rich());
  }
  return is_usable ? 0 : exit_code(ErrorKind::kData);
}

}  // namespace

void add_data_describe(CLI::App& family, Outcome& outcome) {
  auto arguments = std::make_shared<DescribeArguments>();
  CLI::App* verb = family.add_subcommand("describe", "Shows how a table is read, and writes the [data] table for it");
  verb->add_option("file", arguments->file, "CSV, TSV or similar; plain, gzip or bzip2; -: standard input")
      ->required()
      ->type_name("FILE");
  add_table_words(*verb, arguments->words);
  verb->add_option("--columns", arguments->columns, "number of columns to show; default: 40")
      ->check(whole_number(1))
      ->type_name("N");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->add_flag("--toml", arguments->toml, "print the [data] table only")->excludes("--json");
  verb->footer(
      "Examples:\n"
      "  fedstein data describe patients.csv\n"
      "  fedstein data describe patients.csv --label ill --group hospital --ignore id name --missing impute\n"
      "  fedstein data describe numbers.txt --separator \"\\t\" --no-header --label 0\n"
      "  fedstein data describe patients.csv --label ill --toml >> experiment.toml\n"
      "Columns are given by name or by number from 0. A name that is a number needs quotes: '\"2019\"'.\n"
      "The exit code is 65 if the table cannot be used as it is.");
  verb->callback([arguments, &outcome] { outcome.exit_code = describe(*arguments); });
}

}  // namespace fedstein
