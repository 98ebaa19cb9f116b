// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

double difference(double actual, double expected) {
  if (std::isnan(actual) && std::isnan(expected)) return 0;
  if (actual == expected) return 0;  // the only way for infinities to agree
  const double gap = std::abs(actual - expected);
  return std::isnan(gap) ? std::numeric_limits<double>::infinity() : gap;
}

}  // namespace

Closeness compare_arrays(const DoubleMatrix& actual, const DoubleMatrix& expected, double tolerance, double floor) {
  Closeness result;
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    result.close = false;
    result.error = std::numeric_limits<double>::infinity();
    result.message = "shape is " + std::to_string(actual.rows()) + " x " + std::to_string(actual.cols()) +
                     ", expected " + std::to_string(expected.rows()) + " x " + std::to_string(expected.cols());
    return result;
  }

  double scale = floor;
  for (const double value : expected.reshaped()) {
    if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  }
  Index worst_row = 0;
  Index worst_column = 0;
  for (Index row = 0; row < expected.rows(); ++row) {
    for (Index column = 0; column < expected.cols(); ++column) {
      const double error = difference(actual(row, column), expected(row, column)) / scale;
      if (error <= result.error) continue;
      result.error = error;
      worst_row = row;
      worst_column = column;
    }
  }
  result.close = result.error <= tolerance;
  if (!result.close) {
    result.message = "[" + std::to_string(worst_row) + ", " + std::to_string(worst_column) + "] is " +
                     to_text(actual(worst_row, worst_column)) + ", expected " +
                     to_text(expected(worst_row, worst_column)) + ": off by " + to_text(result.error) +
                     " of the largest magnitude " + to_text(scale) + ", allowed " + to_text(tolerance);
  }
  return result;
}

Closeness compare(double actual, double expected, double tolerance, double floor) {
  return compare_arrays(DoubleMatrix::Constant(1, 1, actual), DoubleMatrix::Constant(1, 1, expected), tolerance, floor);
}

}  // namespace fedstein
