// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/step_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/numeric/check.h"
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
