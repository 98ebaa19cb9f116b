// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "command_line.h"
#include "judgement_text.h"
#include "row_options.h"
#include "terminal.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct EvaluateArguments {
  std::string model = {};
  RowOptions rows = {};
  std::string doubt = "total";
  std::vector<double> abstained = {};
  Index bins = kDefaultBins;
  bool json = false;
};

void evaluate(const EvaluateArguments& arguments) {
  const Predictor predictor = load_predictor(arguments.model);
  const Dataset rows = labelled_rows(arguments.rows, predictor.posterior());
  JudgementOptions options;
  options.bins = arguments.bins;
  options.by = doubt_named(arguments.doubt);
  if (!arguments.abstained.empty()) options.abstained = arguments.abstained;
  const Judgement judgement = judge(predictor, rows, options);
  std::cout << (arguments.json ? judgement_json(judgement, predictor.posterior(), options.by)
                               : judgement_text(judgement, predictor.posterior(), options.by, stdout_is_rich()));
}

}  // namespace

void add_evaluate(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* verb = program.add_subcommand(
      "evaluate", "Measures a posterior's predictions on labelled rows: accuracy, calibration, abstention");
  verb->add_option("model", arguments->model, "a posterior file")->required()->type_name("MODEL");
  add_row_options(*verb, arguments->rows, /*labelled=*/true);
  verb->add_option("--bins", arguments->bins, "number of bins of the reliability table; default: 10")
      ->check(whole_number(1, 10000))
      ->type_name("N");
  verb->add_option(
          "--abstain-by", arguments->doubt, "uncertainty by which rows are left out, as in predict; default: total")
      ->check(one_of({std::begin(kDoubtNames), std::end(kDoubtNames)}))
      ->type_name("KIND");
  verb->add_option("--abstain", arguments->abstained, "shares of rows to leave out, each at least 0 and below 1")
      ->check(number_between(0.0, 0.999999))
      ->type_name("SHARE");
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "The file is read like the training data: columns by name, labels as they are written in the file.\n"
      "A model that does not store its columns has labels -1 and 1, or 0, 1, ...; --label-map translates those of a "
      "file.\n"
      "Examples:\n"
      "  fedstein evaluate model.fedstein test.csv\n"
      "  fedstein evaluate model.fedstein beats.csv.gz --label 1 --ignore 0 2 3 4 5 --label-map 0=-1 1=1 2=1 3=1 4=1");
  verb->callback([arguments] { evaluate(*arguments); });
}

}  // namespace fedstein
