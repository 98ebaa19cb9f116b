// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/kernel.h"

#include <rapidcheck/gtest.h>

#include "fedstein/numeric/check.h"
#include "support/kernel_invariants.h"
#include "support/throws.h"

namespace fedstein {
namespace {

RC_GTEST_PROP(RbfKernel, SatisfiesTheInvariants, ()) {
  const auto n = *rc::gen::inRange<Index>(2, 25);
  const auto d = *rc::gen::inRange<Index>(1, 8);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  expect_kernel_invariants(RbfKernel(), random_matrix(n, d, seed), random_matrix(n, d, seed + 1));
  RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(ImqKernel, SatisfiesTheInvariants, ()) {
  const auto n = *rc::gen::inRange<Index>(2, 25);
  const auto d = *rc::gen::inRange<Index>(1, 8);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  const double exponent = *rc::gen::element(-0.9, -0.5, -0.1);
  const ImqKernel kernel(Bandwidth::paper(), exponent);
  expect_kernel_invariants(kernel, random_matrix(n, d, seed), random_matrix(n, d, seed + 1));
  RC_ASSERT(!testing::Test::HasFailure());
}

// Derivatives against differences of the value itself, far and near.
void expect_derivatives_match(const Kernel& kernel, double tolerance) {
  const double h = 0.7;
  const double shift = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-4 : 1.0 / 64;
  const auto at = [&](double r2, Matrix Gram::*member) {
    Gram gram{h, Matrix(1, 1), Matrix(1, 1)};
    kernel.evaluate(h, Matrix::Constant(1, 1, static_cast<Real>(r2)), gram.value, gram.slope);
    return static_cast<double>((gram.*member)(0, 0));
  };
  for (const double r2 : {0.25, 1.0, 4.0}) {
    Matrix curvature(1, 1);
    kernel.evaluate_curvature(h, Matrix::Constant(1, 1, static_cast<Real>(r2)), curvature);
    const double slope = (at(r2 + shift, &Gram::value) - at(r2 - shift, &Gram::value)) / (2 * shift);
    const double bend = (at(r2 + shift, &Gram::slope) - at(r2 - shift, &Gram::slope)) / (2 * shift);
    EXPECT_NEAR(at(r2, &Gram::slope), slope, tolerance);
    EXPECT_NEAR(static_cast<double>(curvature(0, 0)), bend, tolerance);
  }
}

TEST(Kernel, SlopeAndCurvatureAreDerivatives) {
  const double tolerance = FEDSTEIN_REAL_IS_DOUBLE != 0 ? 1e-6 : 2e-3;
  expect_derivatives_match(RbfKernel(), tolerance);
  expect_derivatives_match(ImqKernel(), tolerance);
}

TEST(Kernel, AtZeroBandwidthIsItsOwnLimit) {
  Matrix r2(1, 2), value(1, 2), slope(1, 2), curvature(1, 2);
  r2 << 0, 3;
  const RbfKernel rbf;
  const ImqKernel imq;
  for (const Kernel* kernel : std::initializer_list<const Kernel*>{&rbf, &imq}) {
    kernel->evaluate(0, r2, value, slope);
    kernel->evaluate_curvature(0, r2, curvature);
    EXPECT_EQ(value(0, 0), 1);
    EXPECT_EQ(value(0, 1), 0);
    EXPECT_TRUE(slope.isZero(0));
    EXPECT_TRUE(curvature.isZero(0));
  }
}

TEST(ImqKernel, RefusesExponentsWithoutPositiveDefiniteness) {
  EXPECT_THROW_MESSAGE(ImqKernel(Bandwidth::paper(), 0), InvalidArgument, "exponent is 0");
  EXPECT_THROW_MESSAGE(ImqKernel(Bandwidth::paper(), -1), InvalidArgument, "exponent is -1");
}

}  // namespace
}  // namespace fedstein
