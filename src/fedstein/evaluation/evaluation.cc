// SPDX-License-Identifier: Apache-2.0
#include "fedstein/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "fedstein/metrics/classification.h"
#include "fedstein/metrics/ranking.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/model/count_regression.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kBlockRows = 1024;  // enough to feed every model, few enough for the second-level cache

void check_options(const EvaluationOptions& options) {
  check_argument(options.evaluate_every >= 1, "Evaluation", [&] {
    return "evaluate_every is " + std::to_string(options.evaluate_every) + "; it must be at least 1";
  });
  check_positive("Evaluation", "target_deviation", options.target_deviation);
  static_cast<void>(ReliabilityBins(options.bins));  // refuses a bad number of bins now instead of after a round
}

// Half the width of a normal's central 95 % interval, in deviations.
constexpr double kDeviationsOf95 = 1.959964;

double mean_confidence(const ReliabilityBins& diagram) {
  double sum = 0;
  for (const ReliabilityBin& bin : diagram.bins()) sum += bin.confidence_sum;
  return sum / static_cast<double>(diagram.rows());
}

Index covered_by_95(const Forecast& forecast, const ConstVectorRef& y) {
  const DoubleVector reach = kDeviationsOf95 * forecast.variance.cwiseSqrt();
  const DoubleVector gap = (y.cast<double>() - forecast.mean).cwiseAbs();
  return (gap.array() <= reach.array()).count();
}

double coverage_of_95(const Forecast& forecast, const ConstVectorRef& y) {
  return static_cast<double>(covered_by_95(forecast, y)) / static_cast<double>(y.size());
}

// Of two classes, -1 and +1 or 0 and 1: the model has checked that they are one or the other.
std::vector<Index> labels_of(const ConstVectorRef& y, Index classes) {
  const bool has_sign = classes == 2 && (y.array() == -1).any();
  return has_sign ? binary_class_indices(y) : class_indices(y, classes);
}

// The log-likelihood of knowing how frequent each class is, and nothing else.
double baseline_of(const std::vector<Index>& labels) {
  std::map<Index, double> counts;
  for (const Index label : labels) ++counts[label];
  double sum = 0;
  for (const auto& [label, count] : counts) sum += count * std::log(count / static_cast<double>(labels.size()));
  return sum / static_cast<double>(labels.size());
}

// Of knowing the targets' mean and variance; nothing where all are equal.
std::optional<double> baseline_of(const ConstVectorRef& y) {
  const DoubleVector targets = y.cast<double>();
  const double variance = (targets.array() - targets.mean()).square().mean();
  if (!(variance > 0)) return std::nullopt;
  return -0.5 * (std::log(2 * std::numbers::pi * variance) + 1);
}

// Where numbers ran away, predictions are the first to show it.
void check_numbers(const Forecast& forecast) {
  const auto broken = forecast.log_density.array().isNaN().count();
  if (broken == 0) return;
  throw Divergence("the predictions of " + std::to_string(broken) + " of " +
                   std::to_string(forecast.log_density.size()) + " rows are not numbers any more");
}

}  // namespace

Evaluation::Evaluation(const Model& model, const Batch& test, const EvaluationOptions& options)
    : model_(model.predictive()), test_(test), options_(options) {
  check_options(options);
  check_argument(test.rows() >= 1, "Evaluation", "test has no rows; at least 1 is needed");
  model.check_data(test);
  check_argument(model_ != nullptr, "Evaluation", "the model predicts nothing; a classifier or a regression is needed");
  // Which of the two this is, its prediction says.
  const Prediction sample = model_->predict(Matrix::Zero(1, model.dimension()), test.x.topRows(1));
  if (sample.probabilities.size() > 0) labels_ = labels_of(test.y, sample.probabilities.cols());
}

std::map<std::string, double> Evaluation::figures(const Particles& particles) const {
  if (labels_.empty()) {
    const Forecast forecast = model_->forecast(particles, test_);
    check_numbers(forecast);
    const Vector mean = forecast.mean.cast<Real>();
    std::map<std::string, double> out = {
        {"rmse", options_.target_deviation * rmse(mean, test_.y)},
        {"log_likelihood", mean_log_likelihood(forecast.log_density) - std::log(options_.target_deviation)}};
    if (!options_.sureness) return out;
    out["rows"] = static_cast<double>(test_.rows());
    if (const auto* counts = dynamic_cast<const CountRegression*>(model_)) {
      out["coverage"] = coverage(counts->central_mass(particles, test_), 0.95);
      return out;
    }
    if (const auto baseline = baseline_of(test_.y)) out["baseline"] = *baseline - std::log(options_.target_deviation);
    if (forecast.variance.size() == test_.rows()) {  // a model of the user's own may not say how sure it is
      out["coverage"] = coverage_of_95(forecast, test_.y);
    }
    return out;
  }
  const ClassificationTally all = tally(particles);
  std::map<std::string, double> out = {{"accuracy", all.accuracy()},
                                       {"log_likelihood", all.log_likelihood()},
                                       {"ece", all.bins().expected_error()},
                                       {"mce", all.bins().maximum_error()},
                                       {"brier", all.brier()}};
  if (options_.sureness) {
    out["rows"] = static_cast<double>(test_.rows());
    out["confidence"] = mean_confidence(all.bins());
    out["baseline"] = baseline_of(labels_);
  }
  // These look at all rows at once.
  if (options_.f1 || !options_.abstained.empty()) add_asked(model_->predict(particles, test_.x).probabilities, out);
  return out;
}

EvaluationSums Evaluation::sums(const Particles& particles) const {
  if (!labels_.empty()) {
    const ClassificationTally all = tally(particles);
    const auto rows = static_cast<double>(all.rows());
    return {.rows = all.rows(),
            .log_likelihood = all.log_likelihood() * rows,
            .bins = all.bins().bins(),
            .brier = all.brier() * rows};
  }
  const Forecast forecast = model_->forecast(particles, test_);
  check_numbers(forecast);
  const double unit = options_.target_deviation;
  const double error = unit * rmse(forecast.mean.cast<Real>(), test_.y);
  const auto rows = static_cast<double>(test_.rows());
  EvaluationSums out{.rows = test_.rows(),
                     .log_likelihood = forecast.log_density.sum() - rows * std::log(unit),
                     .squared_error = error * error * rows};
  if (const auto* counts = dynamic_cast<const CountRegression*>(model_)) {
    out.intervals = out.rows;
    out.covered = (counts->central_mass(particles, test_).array() <= 0.95).count();
  } else if (forecast.variance.size() == test_.rows()) {
    out.intervals = out.rows;
    out.covered = covered_by_95(forecast, test_.y);
  }
  return out;
}

void Evaluation::add_asked(const Matrix& probabilities, std::map<std::string, double>& out) const {
  if (options_.f1 && probabilities.cols() == 2) {
    ConfusionMatrix confusion(2);
    confusion.add(probabilities, labels_);
    if (const double f1 = confusion.score(1).f1; !std::isnan(f1)) out["f1"] = f1;
  }
  if (options_.abstained.empty()) return;
  const DoubleVector losses = zero_one_loss(probabilities, labels_);
  for (const AbstentionPoint& point : accuracy_when_abstaining(confidence(probabilities), losses, options_.abstained)) {
    out["answered@" + to_text(point.asked)] = point.accuracy;
  }
}

// Block by block: a block's predictions are judged while they are in the cache. Blocks have at least as many rows as
// there are bins, so that their diagrams together are no larger than the predictions.
ClassificationTally Evaluation::tally(const Particles& particles) const {
  const Index block = std::max(kBlockRows, options_.bins);
  std::vector<ClassificationTally> tallies(static_cast<std::size_t>(pieces(test_.rows(), block)),
                                           ClassificationTally(options_.bins));
  parallel_for(test_.rows(), block, [&](Index begin, Index end) {
    const Forecast forecast = model_->forecast(particles, test_.middle_rows(begin, end - begin));
    check_numbers(forecast);
    const auto labels =
        std::span(labels_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    tallies[static_cast<std::size_t>(begin / block)].add(forecast.probabilities, labels, forecast.log_density);
  });
  ClassificationTally all(options_.bins);
  for (const ClassificationTally& one : tallies) all += one;
  return all;
}

std::optional<ReliabilityBins> Evaluation::reliability(const Particles& particles) const {
  if (labels_.empty()) return std::nullopt;
  return tally(particles).bins();
}

Next Evaluation::on_round(RoundRecord& record, const Particles& particles) {
  if (record.round % options_.evaluate_every == 0 || record.round == options_.last_round) {
    for (const auto& [name, value] : figures(particles)) record.figures[name] = value;
  }
  return Next::kContinue;
}

}  // namespace fedstein
