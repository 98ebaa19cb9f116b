// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace fedstein {

// log(sum_i exp(values[i])) without overflow, accumulated in double.
//
//   no values, or all -inf -> -inf       (an empty or impossible sum)
//   any +inf, no NaN       -> +inf
//   any NaN                -> NaN        (a +inf beside it does not hide it)
template <typename T>
double log_sum_exp(std::span<const T> values) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double largest = -kInfinity;
  for (const T value : values) {
    if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
    if (static_cast<double>(value) > largest) largest = static_cast<double>(value);
  }
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (const T value : values) sum += std::exp(static_cast<double>(value) - largest);
  return largest + std::log(sum);
}

}  // namespace fedstein
