// SPDX-License-Identifier: Apache-2.0
// The command line: verbs, their errors as one sentence, and exit codes in the manner of sysexits.h.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "command_line.h"
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
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::cerr << "fedstein: " << command_line_complaint(program, words, error) << "\n";
    return exit_code(ErrorKind::kArgument);
  }
  return outcome.exit_code;
}

}  // namespace
}  // namespace fedstein

int main(int argc, char** argv) {
  try {
    const int code = fedstein::run(argc, argv);
    // A full disk behind a redirection, told as any other.
    if (!std::cout.flush()) {
      std::cerr << "fedstein: the standard output cannot be written\n";
      return fedstein::exit_code(fedstein::ErrorKind::kInputOutput);
    }
    return code;
  } catch (const std::exception& error) {
    std::cerr << "fedstein: " << fedstein::sentence_of(error) << "\n";
    return fedstein::exit_code(error);
  }
}
