// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/regression.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fedstein/metrics/arguments.h"
#include "fedstein/numeric/log_sum_exp.h"

namespace fedstein {
namespace {

using ConstVectorRef = Eigen::Ref<const Vector>;

void check_pair(const char* function, const ConstVectorRef& predicted, const ConstVectorRef& targets) {
  check_not_empty(function, "predicted", predicted);
  check_rows(function, "targets", targets.size(), predicted.size());
  check_finite(function, "predicted", predicted);
  check_finite(function, "targets", targets);
}

void check_mixture(const char* function,
                   const ConstMatrixRef& means,
                   const ConstMatrixRef& variances,
                   const ConstVectorRef& targets) {
  check_not_empty(function, "means", means);
  check_same_shape(function, "variances", variances, "means", means);
  check_rows(function, "targets", targets.size(), means.rows());
  check_finite(function, "means", means);
  check_finite(function, "variances", variances);
  check_finite(function, "targets", targets);
  Index row = 0;
  Index column = 0;
  const auto smallest = static_cast<double>(variances.minCoeff(&row, &column));
  check_argument(
      smallest > 0,
      function,
      value_in_row("variances", smallest, row) + ", column " + std::to_string(column) + "; a variance must be above 0");
}

// (target - mean) / deviation
double standardised(Real mean, Real variance, Real target) {
  return (static_cast<double>(target) - static_cast<double>(mean)) / std::sqrt(static_cast<double>(variance));
}

}  // namespace

double rmse(const ConstVectorRef& predicted, const ConstVectorRef& targets) {
  check_pair("rmse", predicted, targets);
  return std::sqrt((predicted.cast<double>() - targets.cast<double>()).squaredNorm() /
                   static_cast<double>(targets.size()));
}

double mae(const ConstVectorRef& predicted, const ConstVectorRef& targets) {
  check_pair("mae", predicted, targets);
  return (predicted.cast<double>() - targets.cast<double>()).lpNorm<1>() / static_cast<double>(targets.size());
}

DoubleVector mixture_log_density(const ConstMatrixRef& means,
                                 const ConstMatrixRef& variances,
                                 const ConstVectorRef& targets) {
  check_mixture("mixture_log_density", means, variances, targets);
  DoubleVector out(means.rows());
  std::vector<double> parts(static_cast<std::size_t>(means.cols()));
  const double log_count = std::log(static_cast<double>(means.cols()));
  for (Index row = 0; row < means.rows(); ++row) {
    for (Index j = 0; j < means.cols(); ++j) {
      const double z = standardised(means(row, j), variances(row, j), targets(row));
      const double log_variance = std::log(static_cast<double>(variances(row, j)));
      parts[static_cast<std::size_t>(j)] = -0.5 * (std::log(2 * std::numbers::pi) + log_variance + z * z);
    }
    out(row) = log_sum_exp(std::span<const double>(parts)) - log_count;
  }
  return out;
}

double mean_log_likelihood(const Eigen::Ref<const DoubleVector>& log_densities) {
  check_no_nan("mean_log_likelihood", "log_densities", log_densities);
  return log_densities.mean();
}

// 2 Phi(z) - 1 = erf(z / sqrt 2), without the cancellation that Phi near 1/2 would bring.
DoubleVector central_mass(const ConstMatrixRef& means, const ConstMatrixRef& variances, const ConstVectorRef& targets) {
  check_mixture("central_mass", means, variances, targets);
  DoubleVector out(means.rows());
  for (Index row = 0; row < means.rows(); ++row) {
    double sum = 0;
    for (Index j = 0; j < means.cols(); ++j) {
      sum += std::erf(standardised(means(row, j), variances(row, j), targets(row)) / std::numbers::sqrt2);
    }
    out(row) = std::abs(sum) / static_cast<double>(means.cols());
  }
  return out;
}

double coverage(const Eigen::Ref<const DoubleVector>& central_masses, double level) {
  check_no_nan("coverage", "central_masses", central_masses);
  check_argument(level > 0 && level < 1, "coverage", "level is " + to_text(level) + "; it must be above 0 and below 1");
  const Index inside = (central_masses.array() <= level).count();
  return static_cast<double>(inside) / static_cast<double>(central_masses.size());
}

double interval_coverage(const ConstVectorRef& lower, const ConstVectorRef& upper, const ConstVectorRef& targets) {
  constexpr const char* kWho = "interval_coverage";
  check_not_empty(kWho, "targets", targets);
  check_rows(kWho, "lower", lower.size(), targets.size());
  check_rows(kWho, "upper", upper.size(), targets.size());
  check_finite(kWho, "targets", targets);
  Index inside = 0;
  for (Index row = 0; row < targets.size(); ++row) {
    if (!(lower(row) <= upper(row))) {  // true for NaN as well
      check_argument(false,
                     kWho,
                     "row " + std::to_string(row) + " has the interval from " +
                         to_text(static_cast<double>(lower(row))) + " to " + to_text(static_cast<double>(upper(row))) +
                         "; lower must be at most upper");
    }
    if (lower(row) <= targets(row) && targets(row) <= upper(row)) ++inside;
  }
  return static_cast<double>(inside) / static_cast<double>(targets.size());
}

}  // namespace fedstein
