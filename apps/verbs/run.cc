// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "command_line.h"
#include "fedstein/base/exit_codes.h"
#include "fedstein/config/parse.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/data_shelf.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/numeric/check.h"
#include "running.h"
#include "shell_words.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct RunArguments {
  std::string file = {};
  std::vector<std::string> overrides = {};
  std::vector<std::string> cases = {};
  std::vector<std::string> methods = {};
  std::string folder = {};
  std::string data = {};
  int trials = 0;
  int threads = 0;
  double checkpoint = 15;
  std::string seed = {};
  bool quick = false;
  bool resume = false;
  bool dry_run = false;
  bool json = false;
  std::optional<int> live = {};
  std::string live_token_file = {};
};

// What would do the same again, --resume left out.
std::string command_of(const RunArguments& arguments) {
  std::string command = "fedstein run " + shell_quoted(arguments.file);
  for (const std::string& one : arguments.overrides) command += " --set " + shell_quoted(one);
  for (const std::string& one : arguments.cases) command += " --case " + shell_quoted(one);
  for (const std::string& one : arguments.methods) command += " --method " + shell_quoted(one);
  if (arguments.quick) command += " --quick";
  if (arguments.trials > 0) command += " --trials " + std::to_string(arguments.trials);
  if (!arguments.seed.empty()) command += " --seed " + arguments.seed;
  if (!arguments.folder.empty()) command += " --folder " + shell_quoted(arguments.folder);
  return command;
}

// Whoever has a table only begins with it.
void check_is_no_table(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  constexpr std::array<std::string_view, 5> kOfTables = {".csv", ".tsv", ".gz", ".mat", ".xlsx"};
  check_argument(std::find(kOfTables.begin(), kOfTables.end(), ending) == kOfTables.end(), "run", [&] {
    return "'" + file + "' is a table, and an experiment is a TOML file that names it, dataset = \"" + file +
           "\"; `fedstein data describe " + shell_quoted(file) + "` shows what is understood of it";
  });
}

int run(const RunArguments& arguments) {
  require_file(arguments.file);
  check_is_no_table(arguments.file);
  ParseOptions options{.data_folder = arguments.data, .quick = arguments.quick, .overrides = arguments.overrides};
  options.cases = arguments.cases;
  options.methods = arguments.methods;
  if (arguments.trials > 0) options.overrides.push_back("experiment.trials=" + std::to_string(arguments.trials));
  if (!arguments.seed.empty()) options.overrides.push_back("experiment.seed=" + arguments.seed);
  RunRequest request;
  request.plan = load_plan(arguments.file, options);
  if (arguments.dry_run) {
    DataShelf(arguments.data).read_own_files(request.plan);  // as a run does before any work
    std::cout << (arguments.json ? to_json(request.plan) + "\n" : describe(request.plan));
    return 0;
  }
  if (!arguments.json) {
    for (const std::string& line : request.plan.read_tables->findings()) std::cout << line << "\n";
  }
  const std::string folder = arguments.folder.empty() ? "runs/" + request.plan.name : arguments.folder;
  request.folder = folder;
  request.command = command_of(arguments);
  request.resume = arguments.resume;
  request.threads = arguments.threads;
  request.checkpoint_seconds = arguments.checkpoint;
  request.data_folder = arguments.data;
  const std::optional<ConductedRun> run = perform(std::move(request),
                                                  {.wanted = arguments.live.has_value(),
                                                   .port = arguments.live.value_or(0),
                                                   .token_file = arguments.live_token_file});
  if (!run) return kExitInterrupted;
  const Comparison comparison = compare(*run->result);
  std::cout << (arguments.json ? comparison_json(comparison) + "\n"
                               : comparison_text(comparison, stdout_is_rich(), table_width()));
  const std::string report = write_run_report(folder, *run, {});
  if (!arguments.json) std::cout << "\nrun: " << folder << "\nreport: " << report << "\n";
  return has_failed_jobs(*run->result) ? kExitNegative : 0;
}

}  // namespace

void add_run(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb =
      program.add_subcommand("run", "Runs one experiment from a TOML file: all its methods, datasets and trials");
  verb->add_option("file", arguments->file, "the experiment's file")->required()->type_name("FILE.toml");
  verb->add_option("--set", arguments->overrides, "set a value, instead of the file's")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  add_selection(*verb, arguments->cases, arguments->methods);
  verb->add_option("--trials", arguments->trials, "number of trials, instead of the file's")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N");
  verb->add_option("--seed", arguments->seed, "seed of all random numbers, instead of the file's")
      ->check(whole_number(0))
      ->type_name("N");
  verb->add_option("--threads", arguments->threads, "number of jobs that run at the same time; default: one per core")
      ->check(whole_number(1, 1024))
      ->type_name("N");
  verb->add_option("--folder", arguments->folder, "folder of the run; default: runs/NAME")->type_name("FOLDER");
  arguments->data = data_folder();
  verb->add_option("--data", arguments->data, "folder of the datasets; default: $FEDSTEIN_DATA")->type_name("FOLDER");
  verb->add_option(
          "--checkpoint",
          arguments->checkpoint,
          "least seconds between two checkpoints of a job; large checkpoints are written less often; default: 15")
      ->check(number_between(0))
      ->type_name("SECONDS");
  verb->add_flag("--quick", arguments->quick, "make a smaller run: apply the file's table [quick]");
  verb->add_flag("--resume", arguments->resume, "continue the newest unfinished run");
  verb->add_flag("--dry-run", arguments->dry_run, "only print the resolved configuration and an estimate of the work");
  CLI::Option* live = verb->add_option_function<std::vector<std::string>>(
                              "--live",
                              [arguments](const std::vector<std::string>& port) {
                                arguments->live = port.empty() || port[0].empty() ? 0 : std::stoi(port[0]);
                              },
                              "serve a page that shows the run as it goes, on loopback; PORT: any that is free unless "
                              "told")
                          ->expected(0, 1)
                          ->type_name("[PORT]");
  live->check(whole_number(0, 65535));
  verb->add_option("--live-token-file",
                   arguments->live_token_file,
                   "file with the token that viewers of the live page need; without it every user of this machine may "
                   "look")
      ->needs(live)
      ->type_name("FILE");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "Examples:\n"
      "  fedstein run experiment.toml\n"
      "  fedstein run experiment.toml --set federation.rounds=50 --set model.prior_deviation=1\n"
      "  fedstein run experiment.toml --case 'MNIST*' --method c-dsvgd\n"
      "  fedstein run experiment.toml --dry-run\n"
      "  fedstein run experiment.toml --live          with a page in the browser; its address is printed\n"
      "  fedstein run experiment.toml --resume         after Ctrl-C, a crash or a power cut");
  verb->callback([arguments, &outcome] { outcome.exit_code = run(*arguments); });
}

}  // namespace fedstein
