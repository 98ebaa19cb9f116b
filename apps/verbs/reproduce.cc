// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "claims_beside.h"
#include "command_line.h"
#include "fedstein/base/check.h"
#include "fedstein/base/exit_codes.h"
#include "fedstein/config/own_names.h"
#include "fedstein/config/parse.h"
#include "fedstein/experiment/catalogue.h"
#include "fedstein/experiment/claims.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/table.h"
#include "running.h"
#include "shell_words.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct ReproduceArguments {
  std::vector<std::string> names = {};
  std::vector<std::string> overrides = {};
  std::vector<std::string> cases = {};
  std::vector<std::string> methods = {};
  std::string root = "runs";
  std::string data = {};
  int trials = 0;
  int threads = 0;
  double checkpoint = 15;
  bool quick = false;
  bool own = false;
  bool check = false;
  bool resume = false;
  bool again = false;
  bool json = false;
};

Plan plan_of(const CatalogueEntry& entry, const ReproduceArguments& arguments, bool check_data) {
  ParseOptions options{.data_folder = arguments.data, .quick = arguments.quick, .overrides = arguments.overrides};
  options.cases = arguments.cases;
  options.methods = arguments.methods;
  options.own_version = arguments.own;
  options.check_data = check_data;
  if (arguments.trials > 0) options.overrides.push_back("experiment.trials=" + std::to_string(arguments.trials));
  return parse_plan(entry.document, "experiments/" + entry.name + ".toml", options);
}

void list(const ReproduceArguments& arguments) {
  Table table{.header = {"name", "shows", "claims", "jobs"}, .text_columns = 3};
  nlohmann::json out = nlohmann::json::array();
  for (const CatalogueEntry& entry : catalogue()) {
    const Plan plan = plan_of(entry, arguments, /*check_data=*/false);
    std::string claims;
    for (const std::string& name : plan.claims) claims += (claims.empty() ? "" : ", ") + name;
    const WorkEstimate work = estimate(plan);
    table.rows.push_back({{entry.name}, {plan.title}, {claims}, {std::to_string(work.jobs)}});
    out.push_back({{"name", entry.name}, {"title", plan.title}, {"claims", plan.claims}, {"jobs", work.jobs}});
  }
  if (arguments.json) {
    std::cout << out.dump(2) << "\n";
  } else {
    std::cout << to_text(table, stdout_is_rich())
              << "\nfedstein reproduce NAME runs one; with --quick a smaller one of the "
              << "same shape.\n";
  }
}

std::string command_of(const std::string& name, const ReproduceArguments& arguments) {
  std::string command = "fedstein reproduce " + name;
  if (arguments.own) command += " --own";
  if (arguments.quick) command += " --quick";
  if (arguments.trials > 0) command += " --trials " + std::to_string(arguments.trials);
  for (const std::string& one : arguments.overrides) command += " --set " + shell_quoted(one);
  for (const std::string& one : arguments.cases) command += " --case " + shell_quoted(one);
  for (const std::string& one : arguments.methods) command += " --method " + shell_quoted(one);
  if (arguments.root != "runs") command += " --folder " + arguments.root;
  return command;
}

std::string folder_of(const std::string& name, bool own, const ReproduceArguments& arguments) {
  return arguments.root + "/" + (own ? own_version_of(name) : name) + (arguments.quick ? "-quick" : "");
}

// An entry of the catalogue with its plan, read once.
struct Chosen {
  const CatalogueEntry* entry = nullptr;
  Plan plan = {};
};

// What has become of all experiments.
struct Reproduced {
  nlohmann::json json = nlohmann::json::array();
  std::vector<ClaimResult> claims = {};  // of these runs, and of those beside them with the other settings
  bool failed = false;                   // a job or a claim of these runs
};

// One experiment; false when it was interrupted.
bool reproduce(Chosen& chosen, const ReproduceArguments& arguments, Reproduced& all) {
  const CatalogueEntry& entry = *chosen.entry;
  const std::string folder = folder_of(entry.name, arguments.own, arguments);
  RunRequest request;
  request.plan = std::move(chosen.plan);
  request.folder = folder;
  request.command = command_of(entry.name, arguments);
  request.resume = arguments.resume;
  request.reuse = !arguments.again;
  request.threads = arguments.threads;
  request.checkpoint_seconds = arguments.checkpoint;
  request.data_folder = arguments.data;
  if (!arguments.json) std::cout << request.plan.name << ": " << request.plan.title << "\n" << std::flush;
  const std::optional<ConductedRun> run = perform(std::move(request));
  if (!run) return false;
  all.failed = all.failed || has_failed_jobs(*run->result);
  const Comparison comparison = compare(*run->result);
  std::vector<ClaimResult> claims;
  if (arguments.check) {
    claims = check_claims(*run->result);
    all.failed = all.failed || std::any_of(claims.begin(), claims.end(), [](const auto& one) { return !one.holds; });
    const ClaimsBeside beside = claims_in(folder_of(entry.name, !arguments.own, arguments));
    claims.insert(claims.end(), beside.claims.begin(), beside.claims.end());
    if (!arguments.json && !beside.claims.empty()) std::cout << "the other column is of: " << beside.command << "\n";
    all.claims.insert(all.claims.end(), claims.begin(), claims.end());
  }
  const std::string report = write_run_report(folder, *run, claims);
  if (arguments.json) {
    all.json.push_back({{"name", entry.name},
                        {"own", arguments.own},
                        {"quick", arguments.quick},
                        {"folder", folder},
                        {"report", report},
                        {"comparison", nlohmann::json::parse(comparison_json(comparison))},
                        {"claims", nlohmann::json::parse(claims_json(claims))}});
  } else {
    std::cout << comparison_text(comparison, stdout_is_rich(), table_width()) << "\nrun: " << folder
              << "\nreport: " << report << "\n\n"
              << std::flush;
  }
  return true;
}

int run(const ReproduceArguments& arguments) {
  if (arguments.names.size() == 1 && arguments.names[0] == "list") {
    list(arguments);
    return 0;
  }
  check_argument(!arguments.check || (arguments.cases.empty() && arguments.methods.empty()),
                 "reproduce",
                 "--check judges whole experiments; leave out --case and --method");
  std::vector<const CatalogueEntry*> entries;
  for (const std::string& name : arguments.names) {
    if (name == "all") {
      for (const CatalogueEntry& entry : catalogue()) entries.push_back(&entry);
    } else {
      entries.push_back(&catalogue_entry(name));
    }
  }
  std::vector<Chosen> chosen;  // all of them first, so that all mistakes are said before any work
  for (const CatalogueEntry* entry : entries) chosen.push_back({entry, plan_of(*entry, arguments, true)});
  Reproduced all;
  for (Chosen& one : chosen) {
    if (!reproduce(one, arguments, all)) return kExitInterrupted;
  }
  if (arguments.json) {
    std::cout << all.json.dump(2) << "\n";
  } else if (arguments.check) {
    const std::vector<ClaimResult>& claims = all.claims;
    std::cout << (claims.empty() ? "no claim is about these experiments\n" : claims_text(claims, stdout_is_rich()));
    if (arguments.quick && !claims.empty()) {
      std::cout << "A quick run is too small to judge a claim by, whichever way it came out; run it without --quick.\n";
    }
  }
  return all.failed ? kExitNegative : 0;
}

}  // namespace

void add_reproduce(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* verb = program.add_subcommand("reproduce", "Runs the paper's figures and tables, and ours, by name");
  verb->add_option("names", arguments->names, "`list` to list all names, or names from it, or `all`")
      ->required()
      ->type_name("NAME...");
  verb->add_flag("--quick", arguments->quick, "make a smaller run of the same shape");
  verb->add_flag("--own",
                 arguments->own,
                 "use fedstein's own defaults instead of the paper's settings, and c-dsvgd instead of DSVGD; the run "
                 "goes to FOLDER/NAME-own");
  verb->add_flag("--check",
                 arguments->check,
                 "test the paper's claims on the result; exit code 1 if one fails. If FOLDER has a run with the other "
                 "settings (--own), its claims are printed beside them");
  verb->add_option("--trials", arguments->trials, "number of trials, instead of the experiment's")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N");
  verb->add_option("--threads", arguments->threads, "number of jobs that run at the same time; default: one per core")
      ->check(whole_number(1, 1024))
      ->type_name("N");
  verb->add_option("--set", arguments->overrides, "set a value, instead of the experiment's")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  add_selection(*verb, arguments->cases, arguments->methods);
  verb->add_option("--folder", arguments->root, "the runs go to FOLDER/NAME; default: runs")->type_name("FOLDER");
  arguments->data = data_folder();
  verb->add_option("--data", arguments->data, "folder of the datasets; default: $FEDSTEIN_DATA")->type_name("FOLDER");
  verb->add_option(
          "--checkpoint",
          arguments->checkpoint,
          "least seconds between two checkpoints of a job; large checkpoints are written less often; default: 15")
      ->check(number_between(0))
      ->type_name("SECONDS");
  verb->add_flag("--resume", arguments->resume, "continue an unfinished run");
  verb->add_flag("--again", arguments->again, "run again even if there is a finished run");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "Examples:\n"
      "  fedstein reproduce list\n"
      "  fedstein reproduce toy-1d-kl --check\n"
      "  fedstein reproduce toy-1d-kl --own --check     # both columns of claims, once both were run\n"
      "  fedstein reproduce blr-rounds --trials 5\n"
      "  fedstein reproduce all --quick");
  verb->callback([arguments, &outcome] { outcome.exit_code = run(*arguments); });
}

}  // namespace fedstein
