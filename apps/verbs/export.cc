// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "command_line.h"
#include "fedstein/experiment/posterior_export.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/store/export/export.h"
#include "output_option.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct ExportArguments {
  std::string run = {};
  std::string format = "csv";
  std::string file = {};
  std::string data = {};
  bool force = false;
};

using Writer = void (*)(const RunStore& store, RunId run, const ByteSink& sink);
const std::map<std::string, Writer> kForms = {{"csv", export_csv}, {"json", export_json}, {"npz", export_npz}};

void write_posteriors(const RunChoice& choice, const ExportArguments& arguments) {
  check_argument(!arguments.file.empty(), "export", "posteriors are one file per job; name their folder with -o");
  const std::vector<std::string> paths = export_posteriors(
      choice, arguments.file, arguments.data, output_rules(arguments.force, {choice.file}, posterior_output()));
  if (paths.empty()) {
    const std::vector<StoredRun> runs = choice.store.runs();
    const bool is_open = std::any_of(
        runs.begin(), runs.end(), [&](const StoredRun& run) { return run.id == choice.run && run.finished.empty(); });
    throw StoreError(is_open ? "no job of the run is finished, and models are made of a job's last round"
                             : "the run has no job whose last particles predict something and were kept");
  }
  for (const std::string& path : paths) std::cout << path << "\n";
}

void run(const ExportArguments& arguments) {
  const RunChoice choice = choose_run(arguments.run);
  if (arguments.format == "posterior") return write_posteriors(choice, arguments);
  const Writer write = kForms.at(arguments.format);
  if (!arguments.file.empty()) {
    WholeFile file(arguments.file, output_rules(arguments.force, {choice.file}));
    write(choice.store, choice.run, [&](std::string_view bytes) { file.write(bytes); });
    file.commit();
    return;
  }
  check_argument(arguments.format != "npz" || !stdout_is_terminal(),
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
  CLI::App* verb = program.add_subcommand("export", "Writes a run's numbers for other programs");
  verb->add_option("run", arguments->run, "run folder or store file; NAME#2 is the second run of a store")
      ->required()
      ->type_name("RUN");
  verb->add_option("--format", arguments->format, "csv (default), json, npz (with the particles), or posterior")
      ->check(one_of({"csv", "json", "npz", "posterior"}))
      ->type_name("FORM");
  verb->add_option(
          "-o,--output", arguments->file, "output file; default: the standard output; with --format posterior a folder")
      ->type_name("FILE");
  add_force_option(*verb, arguments->force);
  arguments->data = data_folder();
  verb->add_option(
          "--data", arguments->data, "with --format posterior: folder of the datasets; default: $FEDSTEIN_DATA")
      ->type_name("FOLDER");
  verb->footer(
      "csv: one line for each case, method, trial and round, one column for each figure.\n"
      "npz: the same columns as arrays, figure/NAME for each figure, particles/JOB/ROUND for the particles.\n"
      "posterior: one posterior file for each trial; `run` itself writes those of the first trial.\n"
      "Examples:\n"
      "  fedstein export runs/blr-rounds > rounds.csv\n"
      "  fedstein export runs/blr-rounds --format npz -o rounds.npz\n"
      "  python3 -c 'import numpy; print(numpy.load(\"rounds.npz\").files)'");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace fedstein
