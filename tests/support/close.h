// SPDX-License-Identifier: Apache-2.0
// GoogleTest front of numeric/compare.h.
#pragma once

#include <gtest/gtest.h>

#include "fedstein/numeric/compare.h"

namespace fedstein {

template <typename A, typename B>
testing::AssertionResult close(const A& actual, const B& expected, double tolerance = kValueTolerance) {
  const Closeness comparison = compare(actual, expected, tolerance);
  if (comparison) return testing::AssertionSuccess();
  return testing::AssertionFailure() << comparison.message;
}

// Equal to the last bit, NaN included.
inline testing::AssertionResult identical(const Matrix& actual, const Matrix& expected) {
  return close(actual, expected, 0);
}

}  // namespace fedstein
