// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace fedstein {
namespace {

DoubleMatrix row(std::initializer_list<double> values) {
  DoubleMatrix out(1, static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

TEST(Compare, JudgesByTheLargestExpectedMagnitude) {
  EXPECT_TRUE(compare(row({1000, 1e-3}), row({1000, 0}), 1e-5));
  EXPECT_FALSE(compare(row({1e-3}), row({0}), 1e-5));
}

TEST(Compare, SpecialValuesEqualThemselvesOnly) {
  EXPECT_TRUE(compare(row({NAN, INFINITY, -INFINITY}), row({NAN, INFINITY, -INFINITY}), 0));
  EXPECT_FALSE(compare(row({1}), row({NAN}), 1));
  EXPECT_FALSE(compare(row({NAN}), row({1}), 1));
  EXPECT_FALSE(compare(row({INFINITY}), row({-INFINITY}), 1e9));
  EXPECT_FALSE(compare(row({INFINITY}), row({1}), 1e9));
}

TEST(Compare, ShapesMustAgree) {
  const Closeness result = compare(DoubleMatrix(2, 3), DoubleMatrix(3, 2), 1);
  EXPECT_FALSE(result);
  EXPECT_EQ(result.message, "shape is 2 x 3, expected 3 x 2");
}

TEST(Compare, SaysWhereTheWorstPairStands) {
  const Closeness result = compare(row({1, 2.5, 3.1}), row({1, 2, 3}), 1e-3);
  EXPECT_THAT(result.message, testing::StartsWith("[0, 1] is 2.5, expected 2"));
  EXPECT_NEAR(result.error, 0.5 / 3, 1e-12);
}

TEST(Compare, EmptyArraysAreEqual) {
  EXPECT_TRUE(compare(DoubleMatrix(0, 4), DoubleMatrix(0, 4), 0));
}

}  // namespace
}  // namespace fedstein
