// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "fedstein/config/parse.h"
#include "fedstein/config/reference.h"
#include "verbs/verbs.h"

namespace fedstein {

void add_schema(CLI::App& program, Outcome& /*outcome*/) {
  CLI::App* verb = program.add_subcommand("schema", "Prints the JSON Schema of experiment files, for editors");
  auto markdown = std::make_shared<bool>(false);
  verb->add_flag("--markdown", *markdown, "print every table and key as Markdown, as in docs/reference.md");
  verb->footer(
      "Examples:\n"
      "  fedstein schema > fedstein.schema.json\n"
      "  and in the first line of an experiment file, for editors that know it:\n"
      "  #:schema ./fedstein.schema.json\n"
      "  fedstein schema --markdown | less       what every key means");
  verb->callback([markdown] { std::cout << (*markdown ? configuration_reference() : configuration_schema()); });
}

}  // namespace fedstein
