// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "fedstein/base/instead_of.h"
#include "fedstein/experiment/comparison.h"
#include "fedstein/experiment/figure_range.h"
#include "fedstein/experiment/run_choice.h"
#include "fedstein/numeric/check.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct CompareArguments {
  std::vector<std::string> runs = {};
  std::string target = {};
  bool json = false;
};

ComparisonOptions options_of(const CompareArguments& arguments) {
  ComparisonOptions options;
  if (arguments.target.empty()) return options;
  const auto equals = arguments.target.find('=');
  const std::string value = equals == std::string::npos ? "" : arguments.target.substr(equals + 1);
  char* end = nullptr;
  options.target = std::strtod(value.c_str(), &end);
  check_argument(!value.empty() && *end == '\0' && equals > 0 && std::isfinite(options.target), "--target", [&] {
    return "'" + arguments.target + "' is not FIGURE=NUMBER, such as accuracy=0.7";
  });
  options.target_figure = arguments.target.substr(0, equals);
  return options;
}

void check_target(const CompareArguments& arguments, const Comparison& comparison) {
  if (arguments.target.empty()) return;
  const ComparisonOptions options = options_of(arguments);
  const std::string& figure = options.target_figure;
  const std::vector<std::string>& known = comparison.figures;
  const auto has = [&](const std::string& name) { return std::find(known.begin(), known.end(), name) != known.end(); };
  if (!has(figure)) {
    throw InvalidArgument("--target: the run has no figure '" + figure + "'" +
                          instead_of(figure, known, {.lead = "there are "}));
  }
  const std::string objection = why_out_of_reach(figure, options.target, has("accuracy"));
  if (!objection.empty()) throw InvalidArgument("--target: " + objection);
}

Comparison compared(const CompareArguments& arguments) {
  Comparison all;
  for (const std::string& run : arguments.runs) {
    const RunResult result = results_of(run);
    if (result.run.finished.empty()) std::cerr << run << " is not finished: its trials stand at different rounds\n";
    Comparison one = compare(result, options_of(arguments));
    check_target(arguments, one);
    if (arguments.runs.size() == 1) return one;
    append_run(all, std::move(one), run);
  }
  return all;
}

}  // namespace

void add_compare(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* verb =
      program.add_subcommand("compare", "Compares the methods of runs: final figures, rounds and bytes to a target");
  verb->add_option("runs", arguments->runs, "run folders or store files; NAME#2 is the second run of a store")
      ->required()
      ->type_name("RUN...");
  verb->add_option("--target",
                   arguments->target,
                   "what `to target` asks to reach and hold until the end; default: 95 % of the best in the case")
      ->type_name("FIGURE=NUMBER");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "Examples:\n"
      "  fedstein compare runs/blr-rounds\n"
      "  fedstein compare runs/blr-rounds --target accuracy=0.7\n"
      "  fedstein compare runs/mine#1 runs/mine#2 --json");
  verb->callback([arguments] {
    const Comparison comparison = compared(*arguments);
    std::cout << (arguments->json ? comparison_json(comparison) + "\n"
                                  : comparison_text(comparison, stdout_is_rich(), table_width()));
  });
}

}  // namespace fedstein
