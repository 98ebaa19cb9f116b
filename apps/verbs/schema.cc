// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>

#include "fedstein/config/parse.h"
#include "verbs/verbs.h"

namespace fedstein {

void add_schema(CLI::App& program, Outcome& /*outcome*/) {
  CLI::App* verb = program.add_subcommand("schema", "Print the JSON Schema of experiment files, for editors");
  verb->footer(
      "Examples:\n"
      "  fedstein schema > fedstein.schema.json\n"
      "  and in the first line of an experiment file, for editors that know it:\n"
      "  #:schema ./fedstein.schema.json");
  verb->callback([] { std::cout << configuration_schema(); });
}

}  // namespace fedstein
