// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/evaluation_sums.h"

#include <cmath>

#include "fedstein/metrics/calibration.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// Of one row, either way. Squares of single precision go further, but only where a run has long diverged; a few sums
// within this bound cannot leave the finite numbers together.
constexpr double kMostOfARow = 1e60;
// Logarithms of probabilities are rounded: a row that is certain may come out a little above 0.
constexpr double kRounding = 1e-6;

std::string count_objection(const EvaluationSums& sums, const EvaluationShape& shape) {
  if (sums.rows < shape.fewest_rows) {
    return "over " + std::to_string(sums.rows) + " test rows; at least " + std::to_string(shape.fewest_rows) +
           " are needed, or they would nearly show the rows";
  }
  if (sums.rows > shape.most_rows) {
    return "over more than " + std::to_string(shape.most_rows) + " test rows (most_rows)";
  }
  if (static_cast<Index>(sums.bins.size()) == shape.bins) return {};
  if (shape.bins == 0) return "in " + std::to_string(sums.bins.size()) + " bins; this federation learns a regression";
  return "in " + std::to_string(sums.bins.size()) + " bins; this federation has " + std::to_string(shape.bins);
}

std::string bins_objection(const EvaluationSums& sums) {
  try {
    const std::int64_t rows = ReliabilityBins::from_bins(sums.bins).rows();
    if (rows == sums.rows) return {};
    return "whose bins hold " + std::to_string(rows) + " of " + std::to_string(sums.rows) + " rows";
  } catch (const InvalidArgument& error) {
    return std::string("that cannot be: ") + error.what();
  }
}

// From `least` to `most` for each row; false for what is not a number.
bool lies_within(double sum, double rows, double least, double most) {
  return sum >= least * rows && sum <= most * rows;
}

std::string sum_objection(const char* name, double sum, const EvaluationSums& sums) {
  return std::string("whose ") + name + " adds up to " + to_text(sum) + " over " + std::to_string(sums.rows) +
         " rows, which cannot be";
}

}  // namespace

EvaluationSums& EvaluationSums::operator+=(const EvaluationSums& other) {
  check_argument(bins.size() == other.bins.size(), "EvaluationSums::operator+=", [&] {
    return "the other sums have " + std::to_string(other.bins.size()) + " bins; they must have " +
           std::to_string(bins.size());
  });
  rows += other.rows;
  log_likelihood += other.log_likelihood;
  for (std::size_t j = 0; j < bins.size(); ++j) bins[j] += other.bins[j];
  brier += other.brier;
  squared_error += other.squared_error;
  intervals += other.intervals;
  covered += other.covered;
  return *this;
}

std::map<std::string, double> figures_of(const EvaluationSums& sums) {
  check_argument(sums.rows > 0, "figures_of", "the sums are of 0 rows; a figure needs at least one");
  const auto rows = static_cast<double>(sums.rows);
  std::map<std::string, double> out = {{"rows", rows}, {"log_likelihood", sums.log_likelihood / rows}};
  if (sums.bins.empty()) {
    out["rmse"] = std::sqrt(sums.squared_error / rows);
    if (sums.intervals > 0) {
      out["coverage"] = static_cast<double>(sums.covered) / static_cast<double>(sums.intervals);
    }
    return out;
  }
  const ReliabilityBins diagram = ReliabilityBins::from_bins(sums.bins);
  double correct = 0;
  double confidence = 0;
  for (const ReliabilityBin& bin : sums.bins) {
    correct += static_cast<double>(bin.correct);
    confidence += bin.confidence_sum;
  }
  out["accuracy"] = correct / rows;
  out["ece"] = diagram.expected_error();
  out["mce"] = diagram.maximum_error();
  out["brier"] = sums.brier / rows;
  out["confidence"] = confidence / rows;
  return out;
}

std::string objection_to(const EvaluationSums& sums, const EvaluationShape& shape) {
  if (std::string why = count_objection(sums, shape); !why.empty()) return why;
  const auto rows = static_cast<double>(sums.rows);
  const double surest = sums.bins.empty() ? kMostOfARow : kRounding;  // a density may be above 1, a probability not
  if (!lies_within(sums.log_likelihood, rows, -kMostOfARow, surest)) {
    return sum_objection("log-likelihood", sums.log_likelihood, sums);
  }
  if (!sums.bins.empty()) {
    if (std::string why = bins_objection(sums); !why.empty()) return why;
    if (!lies_within(sums.brier, rows, 0, 2 + kRounding)) return sum_objection("Brier score", sums.brier, sums);
    return {};
  }
  if (!lies_within(sums.squared_error, rows, 0, kMostOfARow)) {
    return sum_objection("squared error", sums.squared_error, sums);
  }
  const bool all_or_none = sums.intervals == 0 || sums.intervals == sums.rows;
  if (all_or_none && sums.covered >= 0 && sums.covered <= sums.intervals) return {};
  return "with " + std::to_string(sums.covered) + " of " + std::to_string(sums.intervals) +
         " targets within their intervals over " + std::to_string(sums.rows) + " rows, which cannot be";
}

}  // namespace fedstein
