// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Rosenbrock's valley in any even dimension; least at (1, 1, ...).
double rosenbrock(const DoubleVector& x, DoubleVector& gradient) {
  double value = 0;
  for (Index k = 0; k + 1 < x.size(); k += 2) {
    const double valley = x(k + 1) - x(k) * x(k);
    value += 100 * valley * valley + (1 - x(k)) * (1 - x(k));
    gradient(k) = -400 * x(k) * valley - 2 * (1 - x(k));
    gradient(k + 1) = 200 * valley;
  }
  return value;
}

TEST(Lbfgs, FollowsRosenbrocksValley) {
  for (const Index d : {2, 20}) {
    DoubleVector x = DoubleVector::Constant(d, -1.2);
    for (Index k = 1; k < d; k += 2) x(k) = 1 + 0.1 * static_cast<double>(k);
    const LbfgsResult result = minimise(rosenbrock, x, {.steps = 500, .gradient_tolerance = 1e-9});
    EXPECT_TRUE(result.converged);
    EXPECT_LT(result.steps, d == 2 ? 60 : 500);  // of the plane, 40 is usual
    EXPECT_LT((x.array() - 1).abs().maxCoeff(), 1e-7) << d;
  }
}

TEST(Lbfgs, SolvesABadlyScaledQuadratic) {
  const DoubleVector scales = DoubleVector::LinSpaced(12, -3, 3).unaryExpr([](double e) { return std::pow(10, e); });
  const Objective quadratic = [&](const DoubleVector& x, DoubleVector& gradient) {
    gradient = scales.cwiseProduct((x.array() - 2).matrix());
    return 0.5 * gradient.dot((x.array() - 2).matrix());
  };
  DoubleVector x = DoubleVector::Zero(12);
  minimise(quadratic, x, {.steps = 500, .memory = 20, .gradient_tolerance = 1e-8});
  EXPECT_LT((x.array() - 2).abs().maxCoeff(), 1e-4);
}

// Minus the logarithm does not exist below 0: steps must stop short of it.
TEST(Lbfgs, StaysWhereTheFunctionExists) {
  const Objective barrier = [](const DoubleVector& x, DoubleVector& gradient) {
    gradient(0) = 1 - 0.01 / x(0);
    return x(0) - 0.01 * std::log(x(0));
  };
  DoubleVector x = DoubleVector::Constant(1, 5);
  EXPECT_TRUE(minimise(barrier, x, {.first_step = 100}).converged);
  EXPECT_NEAR(x(0), 0.01, 1e-4);
}

TEST(Lbfgs, NeverRisesAndRefusesAStartWithoutAValue) {
  DoubleVector gradient(2);
  DoubleVector x = DoubleVector::Constant(2, 3);
  double before = rosenbrock(x, gradient);
  for (int i = 0; i < 10; ++i) {
    const double after = minimise(rosenbrock, x, {.steps = 1}).value;
    EXPECT_LE(after, before);
    before = after;
  }
  const Objective nowhere = [](const DoubleVector&, DoubleVector&) { return std::nan(""); };
  EXPECT_THROW_MESSAGE(minimise(nowhere, x), InvalidArgument, "no finite value");
  EXPECT_THROW_MESSAGE(minimise(rosenbrock, x, {.memory = 0}), InvalidArgument, "memory is 0");
}

}  // namespace
}  // namespace fedstein
