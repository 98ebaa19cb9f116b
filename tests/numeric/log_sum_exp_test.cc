// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/log_sum_exp.h"

#include <gtest/gtest.h>

#include <vector>

namespace fedstein {
namespace {

double lse(const std::vector<double>& values) {
  return log_sum_exp(std::span<const double>(values));
}

TEST(LogSumExp, AgreesWithThePlainFormulaWhereThatWorks) {
  EXPECT_DOUBLE_EQ(lse({0}), 0);
  EXPECT_NEAR(lse({0.5, -1, 2}), std::log(std::exp(0.5) + std::exp(-1.0) + std::exp(2.0)), 1e-15);
}

TEST(LogSumExp, DoesNotOverflowOrUnderflow) {
  EXPECT_NEAR(lse({1000, 1000}), 1000 + std::log(2.0), 1e-12);
  EXPECT_NEAR(lse({-1000, -1000, -1000}), -1000 + std::log(3.0), 1e-12);
  EXPECT_DOUBLE_EQ(lse({-1e300, 5}), 5);
}

TEST(LogSumExp, EmptyAndInfiniteAndNan) {
  EXPECT_EQ(lse({}), -INFINITY);
  EXPECT_EQ(lse({-INFINITY, -INFINITY}), -INFINITY);
  EXPECT_DOUBLE_EQ(lse({-INFINITY, 3}), 3);
  EXPECT_EQ(lse({INFINITY, 3}), INFINITY);
  EXPECT_EQ(lse({INFINITY, -INFINITY}), INFINITY);
  EXPECT_TRUE(std::isnan(lse({NAN})));
  EXPECT_TRUE(std::isnan(lse({INFINITY, NAN})));
  EXPECT_TRUE(std::isnan(lse({NAN, -INFINITY})));
}

TEST(LogSumExp, SumsFloatsInDouble) {
  const std::vector<float> many(1 << 25, 0.0F);  // a float sum of ones stops at 2^24
  EXPECT_NEAR(log_sum_exp(std::span<const float>(many)), 25 * std::log(2.0), 1e-9);
}

}  // namespace
}  // namespace fedstein
