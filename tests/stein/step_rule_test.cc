// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/step_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/falling_step.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(AdaGrad, FirstStepHasTheLengthOfTheLearningRate) {
  Matrix x = Matrix::Zero(1, 3);
  Matrix phi(1, 3);
  phi << 4, -1e-3_r, 0;
  AdaGrad({.learning_rate = 0.05}).start(1, 3)->step(phi, x);
  EXPECT_NEAR(x(0, 0), 0.05, 1e-6);
  EXPECT_NEAR(x(0, 1), -0.05, 1e-6);
  EXPECT_EQ(x(0, 2), 0);
}

TEST(AdaGrad, AStateStartsFresh) {
  const AdaGrad rule;
  const Matrix phi = random_matrix(2, 2, 1);
  Matrix first = Matrix::Zero(2, 2);
  Matrix second = Matrix::Zero(2, 2);
  rule.start(2, 2)->step(phi, first);
  rule.start(2, 2)->step(phi, second);
  EXPECT_TRUE(identical(first, second));
}

TEST(Adam, FollowsItsRecurrence) {
  const Adam::Options options;
  const auto state = Adam(options).start(3, 2);
  Matrix x = Matrix::Zero(3, 2);
  DoubleMatrix expected = DoubleMatrix::Zero(3, 2);
  DoubleMatrix m = expected, v = expected;
  for (int step = 1; step <= 20; ++step) {
    const Matrix phi = random_matrix(3, 2, static_cast<std::uint64_t>(step));
    state->step(phi, x);
    m = options.beta1 * m + (1 - options.beta1) * phi.cast<double>();
    v = options.beta2 * v.array() + (1 - options.beta2) * phi.cast<double>().array().square();
    const DoubleMatrix m_hat = m / (1 - std::pow(options.beta1, step));
    const DoubleMatrix v_hat = v / (1 - std::pow(options.beta2, step));
    expected.array() += options.learning_rate * m_hat.array() / (v_hat.array().sqrt() + options.epsilon);
  }
  EXPECT_TRUE(close(x, expected));
}

TEST(PlainStep, Adds) {
  Matrix x = Matrix::Ones(2, 2);
  PlainStep(0.5).start(2, 2)->step(Matrix::Constant(2, 2, 4), x);
  EXPECT_TRUE(identical(x, Matrix::Constant(2, 2, 3)));
}

TEST(FallingStep, TakesLessOfEveryStep) {
  const PlainStep plain(1);
  const FallingStep falling(plain, 4);
  const auto state = falling.start(1, 1);
  Matrix x = Matrix::Zero(1, 1);
  const Matrix one = Matrix::Ones(1, 1);
  std::vector<Real> way;
  for (int l = 0; l < 6; ++l) {
    state->step(one, x);
    way.push_back(x(0, 0));
  }
  EXPECT_EQ(way, (std::vector<Real>{1, 1.75_r, 2.25_r, 2.5_r, 2.5_r, 2.5_r}));
}

TEST(FallingStep, ContinuesFromItsMemory) {
  const AdaGrad rule;
  const FallingStep falling(rule, 10);
  const auto whole = falling.start(2, 3);
  Matrix x = random_matrix(2, 3, 1);
  whole->step(random_matrix(2, 3, 2), x);
  const auto rest = falling.start(2, 3);
  rest->recall(whole->memory());
  Matrix y = x;
  whole->step(random_matrix(2, 3, 3), x);
  rest->step(random_matrix(2, 3, 3), y);
  EXPECT_EQ(x, y);
  EXPECT_THROW(rest->recall({}), InvalidArgument);
  EXPECT_THROW(FallingStep(rule, 0), InvalidArgument);
}

TEST(StepRule, RefusesBadArguments) {
  EXPECT_THROW_MESSAGE(AdaGrad({.learning_rate = -1}), InvalidArgument, "AdaGrad: learning_rate is -1");
  EXPECT_THROW_MESSAGE(AdaGrad({.momentum = 1}), InvalidArgument, "momentum is 1; it must be at least 0 and below 1");
  EXPECT_THROW_MESSAGE(Adam({.beta2 = -0.1}), InvalidArgument, "beta2 is -0.1");
  EXPECT_THROW_MESSAGE(PlainStep(NAN), InvalidArgument, "learning_rate is nan");
  Matrix x = Matrix::Zero(2, 2);
  EXPECT_THROW_MESSAGE(AdaGrad().start(2, 2)->step(Matrix::Zero(2, 3), x), InvalidArgument, "direction is 2 x 3");
}

}  // namespace
}  // namespace fedstein
