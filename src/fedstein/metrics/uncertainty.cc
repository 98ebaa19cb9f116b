// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/uncertainty.h"

#include <cmath>
#include <string>

#include "fedstein/metrics/arguments.h"

namespace fedstein {
namespace {

// -p log p, continued to 0 at p = 0.
double surprise(double p) {
  return p > 0 ? -p * std::log(p) : 0;
}

void check_extent(const char* function, const char* argument, Index value) {
  check_argument(
      value > 0, function, std::string(argument) + " is " + std::to_string(value) + "; it must be at least 1");
}

void check_started(const char* function, Index particles) {
  check_argument(particles > 0, function, "0 particles were added; it needs at least one");
}

}  // namespace

EntropyAccumulator::EntropyAccumulator(Index rows, Index classes) {
  check_extent("EntropyAccumulator", "rows", rows);
  check_extent("EntropyAccumulator", "classes", classes);
  sum_.setZero(rows, classes);
  entropies_.setZero(rows);
}

void EntropyAccumulator::add(const ConstMatrixRef& probabilities) {
  constexpr const char* kWho = "EntropyAccumulator::add";
  check_columns(kWho, "probabilities", probabilities, sum_.cols());
  check_rows(kWho, "probabilities", probabilities.rows(), sum_.rows());
  check_probabilities(kWho, "probabilities", probabilities);
  for (Index row = 0; row < sum_.rows(); ++row) {
    const double scale = 1 / probabilities.row(row).cast<double>().sum();
    for (Index column = 0; column < sum_.cols(); ++column) {
      const double p = static_cast<double>(probabilities(row, column)) * scale;
      sum_(row, column) += p;
      entropies_(row) += surprise(p);
    }
  }
  ++particles_;
}

Matrix EntropyAccumulator::mean() const {
  check_started("EntropyAccumulator::mean", particles_);
  return (sum_ / static_cast<double>(particles_)).cast<Real>();
}

EntropySplit EntropyAccumulator::split() const {
  check_started("EntropyAccumulator::split", particles_);
  const auto count = static_cast<double>(particles_);
  EntropySplit out;
  out.total = (sum_ / count).unaryExpr(&surprise).rowwise().sum();
  out.aleatoric = entropies_ / count;
  out.epistemic = (out.total - out.aleatoric).cwiseMax(0);
  return out;
}

EntropySplit entropy_split(std::span<const Matrix> probabilities) {
  check_started("entropy_split", static_cast<Index>(probabilities.size()));
  check_not_empty("entropy_split", "probabilities[0]", probabilities[0]);
  EntropyAccumulator accumulator(probabilities[0].rows(), probabilities[0].cols());
  for (const Matrix& particle : probabilities) accumulator.add(particle);
  return accumulator.split();
}

VarianceAccumulator::VarianceAccumulator(Index rows) {
  check_extent("VarianceAccumulator", "rows", rows);
  mean_.setZero(rows);
  squares_.setZero(rows);
  variances_.setZero(rows);
}

void VarianceAccumulator::add(const Eigen::Ref<const Vector>& means, const Eigen::Ref<const Vector>& variances) {
  constexpr const char* kWho = "VarianceAccumulator::add";
  check_rows(kWho, "variances", variances.size(), mean_.size());
  check_finite(kWho, "variances", variances);
  Index row = 0;
  const auto smallest = static_cast<double>(variances.minCoeff(&row));
  check_argument(smallest >= 0, kWho, value_in_row("variances", smallest, row) + "; a variance is at least 0");
  add_means(means);
  variances_ += variances.cast<double>();
}

void VarianceAccumulator::add(const Eigen::Ref<const Vector>& means, double variance) {
  check_argument(std::isfinite(variance) && variance >= 0,
                 "VarianceAccumulator::add",
                 "variance is " + to_text(variance) + "; it must be a finite number, at least 0");
  add_means(means);
  variances_.array() += variance;
}

void VarianceAccumulator::add_means(const Eigen::Ref<const Vector>& means) {
  check_rows("VarianceAccumulator::add", "means", means.size(), mean_.size());
  check_finite("VarianceAccumulator::add", "means", means);
  ++particles_;
  for (Index row = 0; row < mean_.size(); ++row) {
    const auto value = static_cast<double>(means(row));
    const double before = value - mean_(row);
    mean_(row) += before / static_cast<double>(particles_);
    squares_(row) += before * (value - mean_(row));
  }
}

VarianceSplit VarianceAccumulator::split() const {
  check_started("VarianceAccumulator::split", particles_);
  const auto count = static_cast<double>(particles_);
  const DoubleVector aleatoric = variances_ / count;
  const DoubleVector epistemic = squares_ / count;
  return {mean_, aleatoric + epistemic, aleatoric, epistemic};
}

}  // namespace fedstein
