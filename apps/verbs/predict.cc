// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "command_line.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/row_stream.h"
#include "fedstein/posterior/unusual.h"
#include "fedstein/store/run_facts.h"
#include "output_option.h"
#include "prediction_text.h"
#include "readable.h"
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
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  bool told_quantiles = false;
  bool skips = false;
  bool extrapolates = false;
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

// Rows with everything that is said of them, from a stream; rows that nothing can be said of are left out or thrown.
class PredictedStream {
 public:
  PredictedStream(const Predictor& predictor, const PredictArguments& arguments, PredictionText::Options& options)
      : predictor_(predictor),
        skips_(arguments.skips),
        extrapolates_(arguments.extrapolates),
        unusual_(predictor.posterior()),
        quantiles_(options.quantiles),
        names_(feature_names(predictor.posterior())),
        stream_(open_rows(predictor.posterior(), arguments.rows.file, row_words(arguments.rows, predictor.posterior())),
                predictor.features(),
                skips_ ? RowStream::OnBadRow([this](const std::string& sentence) { leave_out(sentence); })
                       : RowStream::OnBadRow()) {
    options.tells_unusual = unusual_.can_tell() || predictor.posterior().table.has_value();
  }

  // Writes the lines of all rows.
  void write(PredictionText& text, Sink& sink) {
    while (stream_.next()) {
      try {
        write_rows(stream_.rows(), stream_.facts(), text, sink);
      } catch (const InvalidArgument&) {
        write_one_by_one(text, sink);
      }
    }
    if (const std::string remark = stream_.remark(); !remark.empty()) std::cerr << "note: " << remark << "\n";
    if (answered_ == 0 && left_out_ > 0) {
      throw DataError((left_out_ == 1 ? "the only row was" : "all " + std::to_string(left_out_) + " rows were") +
                      std::string(" left out; expected one good row at least"));
    }
    if (answered_ == 0) sink.write(text.head());
  }

  std::int64_t left_out() const { return left_out_; }
  std::int64_t answered() const { return answered_; }

 private:
  void leave_out(const std::string& sentence) {
    std::cerr << "fedstein: left out: " << sentence << std::endl;
    ++left_out_;
  }

  // A few times: a stream may be full of them.
  static constexpr int kMostTold = 5;

  void tell_unknown(const RowStream::RowFacts& facts) {
    if (facts.unknown.empty() || told_unknown_ >= kMostTold) return;
    for (const TableColumn& column : predictor_.posterior().table->columns) {
      if (std::find(facts.unknown.begin(), facts.unknown.end(), column.name) == facts.unknown.end()) continue;
      const std::string taken = column.has_mark() ? "missing" : "'" + column.categories[fill_of(column)] + "'";
      std::cerr << "note: "
                << readable(facts.place + ": column '" + column.name +
                            "' has a value that training has not "
                            "seen; it is taken as " +
                            taken + ", and the row is unusual")
                << "\n";
    }
    if (++told_unknown_ == kMostTold) tell_end();
  }

  void tell_far(const std::vector<std::string>& columns, const RowStream::RowFacts& facts) {
    if (columns.empty() || extrapolates_ || told_far_ >= kMostTold) return;
    std::string names;
    for (const std::string& column : columns) names += (names.empty() ? "'" : ", '") + column + "'";
    std::cerr << "note: "
              << readable(facts.place + ": far outside the training data in " + names +
                          "; predicted as at the edge of what is usual there (--extrapolate takes values as they are)")
              << "\n";
    if (++told_far_ == kMostTold) tell_end();
  }

  static void tell_end() { std::cerr << "note: further rows like that are not told here\n"; }

  static std::size_t fill_of(const TableColumn& column) { return static_cast<std::size_t>(column.fill.value_or(0)); }

  // One of the rows has numbers so large that no prediction is finite.
  void write_one_by_one(PredictionText& text, Sink& sink) {
    for (Index row = 0; row < stream_.rows().rows(); ++row) {
      const RowStream::RowFacts& facts = stream_.facts()[static_cast<std::size_t>(row)];
      try {
        write_rows(stream_.rows().middleRows(row, 1), {facts}, text, sink);
      } catch (const InvalidArgument& error) {
        const std::string sentence = facts.place + ": " + error.what();
        if (!skips_) throw DataError(sentence);
        leave_out(sentence);
      }
    }
  }

  // Far from all training rows a model goes on in a straight line and is sure of it: it is asked about the edge.
  void write_rows(const ConstMatrixRef& x,
                  const std::vector<RowStream::RowFacts>& facts,
                  PredictionText& text,
                  Sink& sink) {
    const auto count = static_cast<std::size_t>(x.rows());
    std::vector<std::vector<std::string>> far(count);
    bool has_far = false;
    for (std::size_t row = 0; row < count; ++row) {
      for (const Index feature : unusual_.of(x.middleRows(static_cast<Index>(row), 1))) {
        far[row].push_back(names_[static_cast<std::size_t>(feature)]);
        has_far = true;
      }
    }
    const Matrix near = has_far && !extrapolates_ ? unusual_.brought_near(x) : Matrix(x);
    const RowPredictions predictions = predictor_.predict(near);
    PredictedRows rows{predictions, facts};
    if (!quantiles_.empty()) rows.quantiles = predictor_.quantiles(near, quantiles_);
    for (std::size_t row = 0; row < count; ++row) {
      tell_unknown(facts[row]);
      tell_far(far[row], facts[row]);
      std::vector<std::string>& names = rows.unusual.emplace_back(facts[row].unknown);
      names.insert(names.end(), far[row].begin(), far[row].end());
    }
    const std::string lines = text.lines(rows);
    sink.write(answered_ == 0 ? text.head() + lines : lines);
    answered_ += x.rows();
  }

  const Predictor& predictor_;
  bool skips_;
  bool extrapolates_;
  UnusualFeatures unusual_;
  std::vector<double> quantiles_;
  std::vector<std::string> names_;
  std::int64_t left_out_ = 0;
  int told_unknown_ = 0;
  int told_far_ = 0;
  std::int64_t answered_ = 0;
  RowStream stream_;
};

std::vector<double> wanted_quantiles(const PredictArguments& arguments, const Predictor& predictor) {
  if (predictor.can_tell_quantiles()) return arguments.quantiles;
  check_argument(!arguments.told_quantiles,
                 "--quantiles",
                 predictor.classifies() ? "the model predicts classes, which have none"
                                        : "the distribution of the model's predictions is not known");
  return {};
}

void predict(const PredictArguments& arguments) {
  const Predictor predictor = load_predictor(arguments.model);
  if (arguments.rows.file != "-") require_file(arguments.rows.file);
  PredictionText::Options options;
  options.form = arguments.format == "json" ? PredictionText::Form::kJson : PredictionText::Form::kCsv;
  if (arguments.abstains) options.abstention = {doubt_named(arguments.doubt), arguments.abstain_above};
  check_argument(predictor.classifies() || arguments.doubt != "error",
                 "--abstain-by",
                 "error is 1 - the largest probability, and the model predicts no classes; allowed: total, aleatoric, "
                 "epistemic");
  options.quantiles = wanted_quantiles(arguments, predictor);
  Sink sink(arguments.output, output_rules(arguments.force, {arguments.model, input_path(arguments.rows.file)}));
  PredictedStream stream(predictor, arguments, options);
  PredictionText text(predictor.posterior(), options);
  stream.write(text, sink);
  sink.finish();
  if (stream.left_out() > 0) {
    std::cerr << "fedstein: " << stream.left_out() << (stream.left_out() == 1 ? " row" : " rows") << " left out, "
              << stream.answered() << " answered\n";
  }
}

}  // namespace

void add_predict(CLI::App& program, Outcome& /*outcome*/) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* verb = program.add_subcommand("predict", "Predicts new rows with a trained posterior, with uncertainty");
  verb->add_option("model", arguments->model, "a posterior file: posteriors/*.fedstein in a run folder")
      ->required()
      ->type_name("MODEL");
  add_row_options(*verb, arguments->rows, /*labelled=*/false);
  verb->add_option("--format", arguments->format, "csv (default), or json: one object on each line")
      ->check(one_of({"csv", "json"}))
      ->type_name("FORM");
  verb->add_option("-o,--output", arguments->output, "output file; default: the standard output")->type_name("FILE");
  add_force_option(*verb, arguments->force);
  CLI::Option* threshold =
      verb->add_option("--abstain-above", arguments->abstain_above, "mark rows whose uncertainty is above this value")
          ->check(number_between(0))
          ->type_name("VALUE");
  verb->add_option("--abstain-by",
                   arguments->doubt,
                   "uncertainty to use: total (default), aleatoric, epistemic, or error (1 - the largest probability)")
      ->check(one_of({std::begin(kDoubtNames), std::end(kDoubtNames)}))
      ->needs(threshold)
      ->type_name("KIND");
  CLI::Option* quantiles =
      verb->add_option(
              "--quantiles", arguments->quantiles, "quantiles of predicted numbers and counts; default: 0.05,0.5,0.95")
          ->delimiter(',')
          ->check(number_between(1e-9, 1 - 1e-9))
          ->type_name("P,P,...");
  verb->add_flag(
      "--skip-bad-rows",
      arguments->skips,
      "report rows that cannot be read on standard error and leave them out; it is an error only if no row is good");
  verb->add_flag("--extrapolate",
                 arguments->extrapolates,
                 "take values far outside the training data as they are; default: as the outermost that is usual");
  verb->footer(
      "Columns are found by name, in any order; the label and ignored columns may be present. Classes have the names\n"
      "of the training data. `unusual` counts the columns whose value is far outside the training data: the row is\n"
      "predicted as at the edge of what is usual there, and with --abstain-above it abstains.\n"
      "Classes: a probability for each; total, aleatoric and epistemic uncertainty are entropies in nats.\n"
      "Regressions: mean and standard deviation, and the aleatoric and epistemic parts of the deviation.\n"
      "`fedstein evaluate` shows the accuracy at each abstention threshold.\n"
      "Examples:\n"
      "  fedstein predict runs/titanic/posteriors/c-dsvgd-1.fedstein new.csv --abstain-above 0.3\n"
      "  sensor | fedstein predict model.fedstein - --format json     predicts rows as they arrive");
  verb->callback([arguments, threshold, quantiles] {
    arguments->told_quantiles = quantiles->count() > 0;
    arguments->abstains = threshold->count() > 0;
    predict(*arguments);
  });
}

}  // namespace fedstein
