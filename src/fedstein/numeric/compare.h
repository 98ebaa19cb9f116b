// SPDX-License-Identifier: Apache-2.0
// The one way in which tests and checkers compare numbers.
#pragma once

#include <string>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Relative tolerances, named once. Values: golden cases and reference loops. Gradients: finite differences.
inline constexpr double kValueTolerance = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-8 : 1e-4;
inline constexpr double kIteratedTolerance = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-8 : 1e-2;
inline constexpr double kGradientTolerance = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-6 : 2e-2;

struct Closeness {
  bool close = true;
  double error = 0;     // largest |actual - expected|, divided by the scale below
  std::string message;  // empty when close; else where the worst pair stands and what it is

  explicit operator bool() const { return close; }
};

// Every pair must satisfy |actual - expected| <= tolerance * scale, scale = max(largest |expected|, floor).
// One scale for the whole array: a value near zero beside large ones is judged by the large ones.
// NaN equals NaN, an infinity equals itself; shapes must agree.
Closeness compare_arrays(const DoubleMatrix& actual,
                         const DoubleMatrix& expected,
                         double tolerance,
                         double floor = 1e-12);

// compare_arrays for any two dense Eigen expressions of floating-point numbers.
template <typename A, typename B>
Closeness compare(const Eigen::MatrixBase<A>& actual,
                  const Eigen::MatrixBase<B>& expected,
                  double tolerance,
                  double floor = 1e-12) {
  return compare_arrays(
      DoubleMatrix(actual.template cast<double>()), DoubleMatrix(expected.template cast<double>()), tolerance, floor);
}

Closeness compare(double actual, double expected, double tolerance, double floor = 1e-12);

}  // namespace fedstein
