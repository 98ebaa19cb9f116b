// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/figure_range.h"

#include <limits>
#include <set>

#include "fedstein/base/check.h"

namespace fedstein {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct FigureRange {
  double least = -kUnbounded;
  double most = kUnbounded;
};

// "accuracy" of validation_accuracy and accuracy@north, "answered" of answered@0.2.
std::string measure_of(const std::string& figure) {
  constexpr const char* kValidation = "validation_";
  const std::string rest = figure.starts_with(kValidation) ? figure.substr(std::string(kValidation).size()) : figure;
  return rest.substr(0, rest.find('@'));
}

FigureRange range_of_figure(const std::string& figure, bool of_classes) {
  static const std::set<std::string> shares = {
      "accuracy", "answered", "collapsed", "confidence", "coverage", "ece", "f1", "mce"};
  static const std::set<std::string> sizes = {"ksd", "rmse", "seconds", "spread", "spread_ratio"};
  const std::string kind = measure_of(figure);
  if (shares.contains(kind)) return {0, 1};
  if (sizes.contains(kind)) return {0, kUnbounded};
  if (kind == "brier") return {0, 2};
  if (kind == "log_likelihood" && of_classes) return {-kUnbounded, 0};
  return {};
}

std::string range_words(const FigureRange& range) {
  if (range.most == kUnbounded) return "at least " + to_text(range.least);
  if (range.least == -kUnbounded) return "at most " + to_text(range.most);
  return to_text(range.least) + " to " + to_text(range.most);
}

}  // namespace

std::string why_out_of_reach(const std::string& figure, double value, bool of_classes) {
  const FigureRange range = range_of_figure(figure, of_classes);
  if (value >= range.least && value <= range.most) return {};
  return figure + " is never " + to_text(value) + "; allowed: " + range_words(range);
}

}  // namespace fedstein
