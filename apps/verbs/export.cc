// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "fedstein/data/whole_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/store/export/export.h"
#include "run_choice.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct ExportArguments {
  std::string run = {};
  std::string format = "csv";
  std::string file = {};
};

using Form = void (*)(const RunStore& store, RunId run, const ByteSink& sink);
const std::map<std::string, Form> kForms = {{"csv", export_csv}, {"json", export_json}, {"npz", export_npz}};

void run(const ExportArguments& arguments) {
  const RunChoice choice = choose_run(arguments.run);
  const Form write = kForms.at(arguments.format);
  if (!arguments.file.empty()) {
    WholeFile file(arguments.file);
    write(choice.store, choice.run, [&](std::string_view bytes) { file.write(bytes); });
    file.commit();
    return;
  }
  check(arguments.format != "npz" || !stdout_is_terminal(),
        "export",
        "an npz archive is no text for a terminal; name a file with -o");
  write(choice.store, choice.run, [](std::string_view bytes) {
    std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!std::cout) throw StoreError("the standard output cannot be written");
  });
  if (!std::cout.flush()) throw StoreError("the standard output cannot be written");
}

}  // namespace

void add_export(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* verb = program.add_subcommand("export", "A run's numbers for other programs");
  verb->add_option("run", arguments->run, "run folder or store file; NAME#2 is a store's second run")
      ->required()
      ->type_name("RUN");
  verb->add_option("--format", arguments->format, "csv (default), json, or npz with the particles")
      ->check(CLI::IsMember({"csv", "json", "npz"}))
      ->type_name("FORM");
  verb->add_option("-o,--output", arguments->file, "default: the standard output")->type_name("FILE");
  verb->footer(
      "csv: one line per case, algorithm, trial and round, a column per figure.\n"
      "npz: the same columns as arrays, figure/NAME for each figure, particles/JOB/ROUND.\n"
      "Examples:\n"
      "  fedstein export runs/blr-rounds > rounds.csv\n"
      "  fedstein export runs/blr-rounds --format npz -o rounds.npz\n"
      "  python3 -c 'import numpy; print(numpy.load(\"rounds.npz\").files)'");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace fedstein
