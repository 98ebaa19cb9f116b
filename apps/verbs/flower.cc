// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "fedstein/relay/flower_app.h"
#include "verbs/verbs.h"

namespace fedstein {

void add_flower(CLI::App& program, Outcome& /*outcome*/) {
  CLI::App* verb = program.add_subcommand("flower", "Writes an app that runs a federation on Flower");
  verb->require_subcommand(1);
  verb->footer(
      "Examples:\n"
      "  fedstein flower new hospitals hospitals.toml    then: flwr run hospitals\n"
      "Flower and the Python package fedstein[flower] run it. With models or methods of your own in Python,\n"
      "`python -m fedstein.flower new` writes it.");
  auto options = std::make_shared<FlowerAppOptions>();
  CLI::App* make = verb->add_subcommand("new", "Writes a Flower app that runs a configuration");
  make->add_option("folder", options->folder, "of the app; new or empty")->required()->type_name("FOLDER");
  make->add_option("file", options->experiment, "the configuration, as for `fedstein serve`")
      ->required()
      ->type_name("FILE.toml");
  make->add_option("--state", options->state, "the server's state folder; default: state in the app's folder")
      ->type_name("FOLDER");
  make->add_option("--publisher", options->publisher, "of the app, as Flower wants it named; default: fedstein")
      ->type_name("NAME");
  make->callback([options] {
    for (const std::string& line : write_flower_app(*options)) std::cout << line << "\n";
  });
}

}  // namespace fedstein
