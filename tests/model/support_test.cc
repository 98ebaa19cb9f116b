// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/support.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Support box(double low, double high) {
  return {DoubleVector::Constant(1, low), DoubleVector::Constant(1, high)};
}

TEST(Support, ReflectsLikeAMirror) {
  Matrix x(7, 1);
  x << 0, 1, -0.25, 1.25, 2.5, -3.25, 0.5;
  box(0, 1).reflect(x);
  Matrix expected(7, 1);
  expected << 0, 1, 0.25, 0.75, 0.5, 0.75, 0.5;
  EXPECT_TRUE(identical(x, expected));
}

TEST(Support, NeverEndsOutsideEvenByRounding) {
  const Support tight = box(0.1, 0.3);  // neither is a float
  Matrix x = random_matrix(20000, 1, 1, 0.2, 0.2);
  x(0, 0) = Real(0.1) - Real(1e-9);
  x(1, 0) = Real(1e6);
  tight.reflect(x);
  for (Index n = 0; n < x.rows(); ++n) {
    ASSERT_TRUE(tight.contains(x.row(n))) << x(n, 0);
  }
}

TEST(Support, LeavesTheFiniteCheckItsWork) {
  Matrix x(2, 1);
  x << NAN, INFINITY;
  box(0, 1).reflect(x);
  EXPECT_TRUE(std::isnan(x(0, 0)));
  EXPECT_TRUE(std::isinf(x(1, 0)));
}

TEST(Support, EachCoordinateHasItsOwnBounds) {
  const Support wide{(DoubleVector(2) << 0, -10).finished(), (DoubleVector(2) << 1, -5).finished()};
  Matrix x(1, 2);
  x << 1.25, -4;
  wide.reflect(x);
  EXPECT_TRUE(close(x, (Matrix(1, 2) << 0.75, -6).finished()));
  EXPECT_THROW_MESSAGE(box(0, 1).reflect(x), InvalidArgument, "particles is 1 x 2; it must have 1 column");
}

TEST(Support, IsChecked) {
  EXPECT_THROW_MESSAGE(check_support("f", box(1, 1)), InvalidArgument, "f: the support of coordinate 0 is [1, 1]");
  EXPECT_THROW_MESSAGE(check_support("f", box(0, INFINITY)), InvalidArgument, "[0, inf]");
  EXPECT_THROW_MESSAGE(check_support("f", {}), InvalidArgument, "0 lower and 0 upper bounds");
}

}  // namespace
}  // namespace fedstein
