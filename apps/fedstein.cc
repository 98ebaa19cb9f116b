// SPDX-License-Identifier: Apache-2.0
// The command line: verbs, their errors as one sentence, and exit codes in the manner of sysexits.h.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "cpu_levels.h"
#include "fedstein/base/exit_codes.h"
#include "fedstein/numeric/config.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

// With the instructions that run, and those that could: the way to notice that a better program is not installed.
std::string version_text() {
  std::string text = std::string("fedstein " FEDSTEIN_VERSION ", ") + (FEDSTEIN_REAL_IS_DOUBLE ? "double" : "single") +
                     " precision, " FEDSTEIN_BUILT_FOR;
  const std::string better = better_level(FEDSTEIN_BUILT_FOR, supported_levels());
  if (!better.empty()) text += " (this processor also runs " + better + ")";
  return text;
}

int run(int argc, char** argv) {
  CLI::App program("Federated Bayesian learning with Stein particles.", "fedstein");
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  program.get_formatter()->column_width(32);
  program.footer(std::string("Examples:\n"
                             "  fedstein reproduce list                 the paper's figures and tables by name\n"
                             "  fedstein reproduce toy-1d --quick       a small run of one of them\n"
                             "  fedstein run experiment.toml            an experiment of your own\n"
                             "  fedstein compare runs/experiment        its methods side by side\n"
                             "Environment variables:\n"
                             "  FEDSTEIN_DATA   folder of the datasets (default: data)\n"
                             "  FEDSTEIN_CPU    program of the Debian package to use on x86-64, for example x86-64-v3\n"
                             "  NO_COLOR        turns colours off\n"
                             "Exit codes, the same for all verbs:\n") +
                 exit_code_table());
  Outcome outcome;
  for (const auto add : kVerbs) add(program, outcome);
  // CLI11 would say that a subcommand is missing, which it is not.
  const auto is_called = [&](const CLI::App* verb) { return verb->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && program.get_subcommands(is_called).empty()) {
    std::cerr << "fedstein: there is no verb '" << argv[1] << "'; `fedstein --help` lists those there are\n";
    return exit_code(ErrorKind::kArgument);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    return code == 0 ? 0 : exit_code(ErrorKind::kArgument);
  }
  return outcome.exit_code;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  try {
    return fedstein::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "fedstein: " << fedstein::sentence_of(error) << "\n";
    return fedstein::exit_code(error);
  }
}
