// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "command_line.h"
#include "row_options.h"
#include "summary_text.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct SummaryArguments {
  std::string model = {};
  double level = 0.9;
  bool json = false;
};

void summary(const SummaryArguments& arguments) {
  const Predictor predictor = load_predictor(arguments.model);
  const Posterior& posterior = predictor.posterior();
  const auto found = summarise(posterior, Registry::standard(), arguments.level);
  std::cout << (arguments.json ? summary_json(found, posterior) : summary_text(found, posterior, stdout_is_rich()));
}

}  // namespace

void add_summary(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<SummaryArguments>();
  CLI::App* verb = program.add_subcommand("summary", "Prints a posterior's coefficients in the units of the columns");
  verb->add_option("model", arguments->model, "a posterior file")->required()->type_name("MODEL");
  verb->add_option("--level", arguments->level, "probability of the intervals; default: 0.9")
      ->check(number_between(0.01, 0.9999))
      ->type_name("P");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "For regressions: mean, standard deviation, interval and probability of being above 0 of each coefficient, and\n"
      "odds or rate ratios, in the original units of the columns. Posteriors of `run` and `export` store the "
      "covariance\n"
      "from which the intervals follow; those of `serve` do not, and the output says so. For other models: the "
      "columns\n"
      "and ranges of the training data.\n"
      "Example:\n"
      "  fedstein summary runs/titanic/posteriors/c-dsvgd-1.fedstein");
  verb->callback([arguments] { summary(*arguments); });
}

}  // namespace fedstein
