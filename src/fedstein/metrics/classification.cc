// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/classification.h"

#include <algorithm>
#include <cmath>

#include "fedstein/metrics/arguments.h"

namespace fedstein {
namespace {

void check_task(const char* function, const ConstMatrixRef& probabilities, std::span<const Index> labels) {
  check_probabilities(function, "probabilities", probabilities);
  check_labels(function, labels, probabilities.rows(), probabilities.cols());
}

Index label_of(std::span<const Index> labels, Index row) {
  return labels[static_cast<std::size_t>(row)];
}

// A strict comparison, so that the first of equal probabilities wins.
Index largest(const ConstMatrixRef& probabilities, Index row) {
  Index best = 0;
  for (Index column = 1; column < probabilities.cols(); ++column) {
    if (probabilities(row, column) > probabilities(row, best)) best = column;
  }
  return best;
}

void check_class(const char* function, const char* argument, Index value, Index classes) {
  check_argument(value >= 0 && value < classes,
                 function,
                 std::string(argument) + " is " + std::to_string(value) + "; it must be a class index from 0 to " +
                     std::to_string(classes - 1));
}

}  // namespace

std::vector<Index> binary_class_indices(const Eigen::Ref<const Vector>& y) {
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(y.size()));
  for (Index row = 0; row < y.size(); ++row) {
    if (y(row) != Real{-1} && y(row) != Real{1}) {
      check_argument(
          false, "binary_class_indices", value_in_row("y", static_cast<double>(y(row)), row) + "; it must be -1 or 1");
    }
    out.push_back(y(row) > 0 ? 1 : 0);
  }
  return out;
}

std::vector<Index> class_indices(const Eigen::Ref<const Vector>& y, Index classes) {
  constexpr const char* kWho = "class_indices";
  check_argument(classes > 0, kWho, "classes is " + std::to_string(classes) + "; it must be at least 1");
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(y.size()));
  for (Index row = 0; row < y.size(); ++row) {
    const auto value = static_cast<double>(y(row));
    const bool allowed = value >= 0 && value < static_cast<double>(classes) && value == std::floor(value);
    if (!allowed) {
      check_argument(
          false,
          kWho,
          value_in_row("y", value, row) + "; it must be a whole number from 0 to " + std::to_string(classes - 1));
    }
    out.push_back(static_cast<Index>(value));
  }
  return out;
}

std::vector<Index> most_probable(const ConstMatrixRef& probabilities) {
  check_probabilities("most_probable", "probabilities", probabilities);
  std::vector<Index> out(static_cast<std::size_t>(probabilities.rows()));
  for (Index row = 0; row < probabilities.rows(); ++row) {
    out[static_cast<std::size_t>(row)] = largest(probabilities, row);
  }
  return out;
}

DoubleVector confidence(const ConstMatrixRef& probabilities) {
  check_probabilities("confidence", "probabilities", probabilities);
  return probabilities.rowwise().maxCoeff().cast<double>();
}

DoubleVector zero_one_loss(const ConstMatrixRef& probabilities, std::span<const Index> labels) {
  check_task("zero_one_loss", probabilities, labels);
  DoubleVector out(probabilities.rows());
  for (Index row = 0; row < out.size(); ++row) {
    out(row) = largest(probabilities, row) == label_of(labels, row) ? 0 : 1;
  }
  return out;
}

double accuracy(const ConstMatrixRef& probabilities, std::span<const Index> labels) {
  check_task("accuracy", probabilities, labels);
  Index right = 0;
  for (Index row = 0; row < probabilities.rows(); ++row) {
    if (largest(probabilities, row) == label_of(labels, row)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(probabilities.rows());
}

double brier(const ConstMatrixRef& probabilities, std::span<const Index> labels) {
  check_task("brier", probabilities, labels);
  double sum = 0;
  for (Index row = 0; row < probabilities.rows(); ++row) {
    for (Index column = 0; column < probabilities.cols(); ++column) {
      const double hit = column == label_of(labels, row) ? 1 : 0;
      const double gap = static_cast<double>(probabilities(row, column)) - hit;
      sum += gap * gap;
    }
  }
  return sum / static_cast<double>(probabilities.rows());
}

double mean_log_likelihood(const ConstMatrixRef& probabilities,
                           std::span<const Index> labels,
                           const LogLikelihoodOptions& options) {
  constexpr const char* kWho = "mean_log_likelihood";
  check_task(kWho, probabilities, labels);
  check_argument(options.probability_floor >= 0 && options.probability_floor <= 1,
                 kWho,
                 "probability_floor is " + to_text(options.probability_floor) + "; it must lie between 0 and 1");
  double sum = 0;
  for (Index row = 0; row < probabilities.rows(); ++row) {
    const auto probability = static_cast<double>(probabilities(row, label_of(labels, row)));
    sum += std::log(std::max(probability, options.probability_floor));
  }
  return sum / static_cast<double>(probabilities.rows());
}

std::string describe(const LogLikelihoodOptions& options) {
  const std::string floor = options.probability_floor > 0
                                ? "probabilities below " + to_text(options.probability_floor) + " counted as that"
                                : "no floor, log 0 is -inf";
  return "log-likelihood: mean natural logarithm of the true label's probability, " + floor;
}

ConfusionMatrix::ConfusionMatrix(Index classes) {
  check_argument(classes > 0, "ConfusionMatrix", "classes is " + std::to_string(classes) + "; it must be at least 1");
  counts_.setZero(classes, classes);
}

void ConfusionMatrix::add(const ConstMatrixRef& probabilities, std::span<const Index> labels) {
  constexpr const char* kWho = "ConfusionMatrix::add";
  check_columns(kWho, "probabilities", probabilities, classes());
  check_task(kWho, probabilities, labels);
  for (Index row = 0; row < probabilities.rows(); ++row) ++counts_(label_of(labels, row), largest(probabilities, row));
}

void ConfusionMatrix::add(Index label, Index predicted) {
  check_class("ConfusionMatrix::add", "label", label, classes());
  check_class("ConfusionMatrix::add", "predicted", predicted, classes());
  ++counts_(label, predicted);
}

ConfusionMatrix& ConfusionMatrix::operator+=(const ConfusionMatrix& other) {
  check_argument(other.classes() == classes(),
                 "ConfusionMatrix::operator+=",
                 "the other matrix has " + std::to_string(other.classes()) + " classes; it must have " +
                     std::to_string(classes()));
  counts_ += other.counts_;
  return *this;
}

std::int64_t ConfusionMatrix::count(Index label, Index predicted) const {
  check_class("ConfusionMatrix::count", "label", label, classes());
  check_class("ConfusionMatrix::count", "predicted", predicted, classes());
  return counts_(label, predicted);
}

ClassScore ConfusionMatrix::score(Index positive) const {
  check_class("ConfusionMatrix::score", "positive", positive, classes());
  const auto hits = static_cast<double>(counts_(positive, positive));
  const auto predicted = static_cast<double>(counts_.col(positive).sum());
  const auto present = static_cast<double>(counts_.row(positive).sum());
  const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : std::nan(""); };
  return {ratio(hits, predicted), ratio(hits, present), ratio(2 * hits, predicted + present)};
}

}  // namespace fedstein
