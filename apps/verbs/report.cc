// SPDX-License-Identifier: Apache-2.0
#include "fedstein/report/report.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "fedstein/base/text.h"
#include "fedstein/experiment/run_choice.h"
#include "output_option.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::vector<std::string> runs = {};
  std::string file = {};
  bool all = false;
  bool check = false;
  bool force = false;
};

// The stores stay open while the report is made of them: at their addresses, which ReportedRun points to.
struct Sources {
  std::vector<std::unique_ptr<RunChoice>> choices = {};
  std::vector<ReportedRun> runs = {};
};

void add(Sources& sources, const RunStore& store, RunId run, bool check) {
  ReportedRun reported{.store = &store, .result = load_results(store, run)};
  if (check) reported.claims = check_claims(reported.result);
  sources.runs.push_back(std::move(reported));
}

Sources open_all(const ReportArguments& arguments) {
  Sources sources;
  std::vector<std::string> places;
  for (const std::string& run : arguments.runs) {
    const std::vector<std::string> inside = run_folders(run);
    places.insert(places.end(), inside.begin(), inside.end());
  }
  for (const std::string& run : places) {
    const RunChoice& choice = *sources.choices.emplace_back(std::make_unique<RunChoice>(choose_run(run)));
    if (!arguments.all) {
      add(sources, choice.store, choice.run, arguments.check);
      continue;
    }
    for (const StoredRun& stored : choice.store.runs()) add(sources, choice.store, stored.id, arguments.check);
  }
  return sources;
}

// Beside a single run's store; of several, here.
std::string default_file(const std::vector<std::string>& runs) {
  if (runs.size() != 1) return kReportName;
  const std::string& run = runs.front();
  const fs::path place = fs::exists(run) ? fs::path(run) : fs::path(run.substr(0, run.rfind('#')));
  return ((fs::is_directory(place) ? place : place.parent_path()) / kReportName).string();
}

void run(const ReportArguments& arguments) {
  const Sources sources = open_all(arguments);
  const std::string file = arguments.file.empty() ? default_file(arguments.runs) : arguments.file;
  std::vector<std::string> inputs;
  for (const auto& choice : sources.choices) inputs.push_back(choice->file);
  const WriteOptions rules = output_rules(arguments.force, std::move(inputs), report_output());
  check_output(file, rules);
  write_report(file, report_json(sources.runs, utc_now()), rules);
  std::cout << "report: " << file << "\n";
}

}  // namespace

void add_report(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* verb = program.add_subcommand("report", "Writes one HTML file with figures, tables and the data they show");
  verb->add_option("runs",
                   arguments->runs,
                   "run folders, store files or a folder of run folders; NAME#2 is the second run of a store")
      ->required()
      ->type_name("RUN...");
  verb->add_option("-o,--output",
                   arguments->file,
                   "output file; default: report.html beside the run, for several runs in the current folder")
      ->type_name("FILE");
  add_force_option(*verb, arguments->force);
  verb->add_flag("--all", arguments->all, "include every run of each store, not only the newest");
  verb->add_flag("--check", arguments->check, "also test the experiment's claims");
  verb->footer(
      "The file loads nothing from the network and can be sent by mail.\n"
      "Examples:\n"
      "  fedstein report runs/blr-rounds\n"
      "  fedstein report runs/mine#1 runs/mine#2 -o both.html\n"
      "  fedstein report runs -o everything.html");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace fedstein
