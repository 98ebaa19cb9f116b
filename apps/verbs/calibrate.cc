// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "fedstein/posterior/calibrate.h"
#include "fedstein/posterior/posterior_file.h"
#include "output_option.h"
#include "row_options.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct CalibrateArguments {
  std::string model = {};
  RowOptions rows = {};
  std::string output = {};
  bool json = false;
  bool force = false;
};

void run(const CalibrateArguments& arguments) {
  const WriteOptions rules =
      output_rules(arguments.force, {arguments.model, input_path(arguments.rows.file)}, posterior_output());
  const Predictor predictor = load_predictor(arguments.model);
  check_output(arguments.output, rules);
  const Dataset rows = labelled_rows(arguments.rows, predictor.posterior());
  const Calibration found = calibrate(predictor, rows);
  Posterior calibrated = predictor.posterior();
  calibrated.temperature = found.temperature;
  save_posterior(calibrated, arguments.output, rules);
  if (arguments.json) {
    const nlohmann::ordered_json out = {{"temperature", found.temperature},
                                        {"temperature_before", predictor.posterior().temperature},
                                        {"log_likelihood", found.log_likelihood_after},
                                        {"log_likelihood_before", found.log_likelihood_before},
                                        {"rows", rows.x.rows()}};
    std::cout << out.dump(2) << "\n";
    return;
  }
  std::cout << std::setprecision(5) << "temperature " << found.temperature << " (was "
            << predictor.posterior().temperature << "): log-likelihood " << found.log_likelihood_before << " -> "
            << found.log_likelihood_after << " on " << rows.x.rows() << " rows\n"
            << arguments.output << "\n";
}

}  // namespace

void add_calibrate(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* verb = program.add_subcommand("calibrate", "Fits a posterior's temperature to held-out rows");
  verb->add_option("model", arguments->model, "a posterior file")->required()->type_name("MODEL");
  add_row_options(*verb, arguments->rows, /*labelled=*/true);
  verb->add_option("-o,--output", arguments->output, "the calibrated posterior")->required()->type_name("FILE");
  add_force_option(*verb, arguments->force);
  verb->add_flag("--json", arguments->json, "print JSON");
  verb->footer(
      "Temperature scaling: each particle's predictive density is raised to the power 1 / temperature. A temperature\n"
      "above 1 makes predictions less confident. Use rows that are neither training rows nor test rows.\n"
      "Example:\n"
      "  fedstein calibrate model.fedstein held-out.csv -o calibrated.fedstein");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace fedstein
