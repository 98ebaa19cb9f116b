// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "fedstein/files/missing_input.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/posterior/row_stream.h"
#include "fedstein/store/run_facts.h"
#include "output_option.h"
#include "prediction_text.h"
#include "row_options.h"
#include "verbs/verbs.h"

namespace fedstein {
namespace {

struct PredictArguments {
  std::string model = {};
  RowOptions rows = {};
  std::string format = "csv";
  std::string output = {};
  std::string doubt = "total";
  double abstain_above = 0;
  bool abstains = false;
  bool force = false;
};

// Standard output, or a file that appears when it is complete.
class Sink {
 public:
  Sink(const std::string& path, const WriteOptions& rules) {
    if (!path.empty()) file_ = std::make_unique<WholeFile>(path, rules);
  }
  void write(const std::string& text) {
    if (file_) {
      file_->write(text);
    } else if (!std::cout.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) {
      throw StoreError("the standard output cannot be written");
    }
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::unique_ptr<WholeFile> file_;
};

void predict(const PredictArguments& arguments) {
  const Predictor predictor = load_predictor(arguments.model);
  if (arguments.rows.file != "-") require_file(arguments.rows.file);
  std::optional<Abstention> abstention;
  if (arguments.abstains) abstention = {doubt_named(arguments.doubt), arguments.abstain_above};
  using Form = PredictionText::Form;
  PredictionText text(predictor.posterior(), arguments.format == "json" ? Form::kJson : Form::kCsv, abstention);
  ByteSource source = arguments.rows.file == "-" ? ByteSource::standard_input(kNoByteLimit)
                                                 : ByteSource::open(arguments.rows.file, kNoByteLimit);
  RowStream stream(TextRows(std::move(source), text_options(arguments.rows)), predictor.features());
  const std::string input = arguments.rows.file == "-" ? "/dev/stdin" : arguments.rows.file;
  Sink sink(arguments.output, output_rules(arguments.force, {arguments.model, input}));
  for (bool first = true; stream.next(); first = false) {
    const std::string lines = text.lines(predictor.predict(stream.rows()));
    sink.write(first ? text.head() + lines : lines);
  }
  sink.finish();
}

}  // namespace

void add_predict(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* verb = program.add_subcommand("predict", "What a trained posterior says about new rows, and how surely");
  verb->add_option("model", arguments->model, "a posterior file: posteriors/*.fedstein of a run folder")
      ->required()
      ->type_name("MODEL");
  add_row_options(*verb, arguments->rows, /*labelled=*/false);
  verb->add_option("--format", arguments->format, "csv (default), or json: one object a line")
      ->check(CLI::IsMember({"csv", "json"}))
      ->type_name("FORM");
  verb->add_option("-o,--output", arguments->output, "default: the standard output")->type_name("FILE");
  add_force_option(*verb, arguments->force);
  CLI::Option* threshold =
      verb->add_option("--abstain-above", arguments->abstain_above, "mark rows whose uncertainty is above this")
          ->check(CLI::NonNegativeNumber)
          ->type_name("DOUBT");
  verb->add_option("--abstain-by",
                   arguments->doubt,
                   "total (default), aleatoric, epistemic, or error: 1 - the largest probability")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kDoubtNames), std::end(kDoubtNames))))
      ->needs(threshold)
      ->type_name("DOUBT");
  verb->footer(
      "Classes: their probabilities; total, aleatoric and epistemic uncertainty are entropies in nats.\n"
      "Regressions: mean and standard deviation, of which the aleatoric and the epistemic part.\n"
      "Rows are scaled as in training. `evaluate` shows what an abstention threshold buys.\n"
      "Examples:\n"
      "  fedstein predict runs/ecg/posteriors/dsvgd-1.fedstein beats.csv --abstain-above 0.3\n"
      "  sensor | fedstein predict model.fedstein - --format json     answers as rows arrive");
  verb->callback([arguments, threshold] {
    arguments->abstains = threshold->count() > 0;
    predict(*arguments);
  });
}

}  // namespace fedstein
