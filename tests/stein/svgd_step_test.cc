// SPDX-License-Identifier: Apache-2.0
// svgd() takes its steps block by block; the loop in the words of the algorithm stays the reference.
#include <gtest/gtest.h>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/direction.h"
#include "fedstein/stein/falling_step.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/svgd.h"
#include "support/close.h"
#include "support/gaussian_score.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr Index kSteps = 4;

void simple_svgd(Matrix& x, const Terms& terms, const Kernel& kernel, const StepRule& rule) {
  const auto state = rule.start(x.rows(), x.cols());
  Matrix scores(x.rows(), x.cols());
  Matrix direction(x.rows(), x.cols());
  for (Index step = 0; step < kSteps; ++step) {
    evaluate_terms(terms, x, step, scores);
    stein_direction(kernel, x, scores, direction);
    state->step(direction, x);
  }
}

// Shapes with one block and several, a last block narrower than a register, one particle, a few and many.
class SvgdStep : public testing::TestWithParam<std::tuple<Index, Index>> {
 protected:
  const Index n = std::get<0>(GetParam());
  const Index d = std::get<1>(GetParam());
  const Matrix start = random_matrix(n, d, 1);
  const Kde before{random_matrix(n, d, 2), 2};
  const Kde factor{random_matrix(n, d, 3, 0.5), 3};
  const GaussianScore likelihood{RowVector::Constant(d, 0.5_r), RowVector::Constant(d, 2)};
  const Terms tilted{{+1, before}, {-0.5, factor}, {+1, likelihood}};
  const Terms distillation{{+1, before}, {-1, factor}};
  const AdaGrad rule{{.learning_rate = 0.1, .epsilon = 0.5}};  // so large that the sign of a small number is no matter
};

TEST_P(SvgdStep, EqualsTheSimpleLoop) {
  const ImqKernel imq;
  const FallingStep falling(rule, kSteps);
  const Adam adam({.learning_rate = 0.1, .epsilon = 0.5});
  const PlainStep plain(0.1);
  for (const Terms* terms : {&tilted, &distillation}) {
    for (const Kernel* kernel : {&default_kernel(), static_cast<const Kernel*>(&imq)}) {
      for (const StepRule* steps : std::initializer_list<const StepRule*>{&rule, &falling, &adam, &plain}) {
        Matrix found = start;
        Matrix expected = start;
        svgd(found, *terms, {.steps = kSteps, .kernel = kernel, .step_rule = steps});
        simple_svgd(expected, *terms, *kernel, *steps);
        EXPECT_TRUE(close(found, expected, 10 * kValueTolerance));
        EXPECT_FALSE(close(found, start, 0.001));
      }
    }
  }
}

TEST_P(SvgdStep, IsTheSameWhenObserved) {
  for (const Terms* terms : {&tilted, &distillation}) {
    Matrix alone = start;
    Matrix observed = start;
    svgd(alone, *terms, {.steps = kSteps, .step_rule = &rule});
    SvgdOptions options{.steps = kSteps, .step_rule = &rule};
    Index looks = 0;
    options.observe = [&](const SvgdOptions::Trace& at) {
      Matrix scores(n, d);
      Matrix direction(n, d);
      evaluate_terms(*terms, at.particles, at.step, scores);
      stein_direction(default_kernel(), at.particles, scores, direction);
      EXPECT_TRUE(close(at.scores, scores, 10 * kValueTolerance));
      EXPECT_TRUE(close(at.direction, direction, 10 * kValueTolerance));
      EXPECT_EQ(at.step, looks++);
    };
    svgd(observed, *terms, options);
    EXPECT_EQ(looks, kSteps);
    EXPECT_TRUE(identical(observed, alone));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         SvgdStep,
                         testing::Values(std::tuple{1, 1},
                                         std::tuple{1, 2500},
                                         std::tuple{6, 55},
                                         std::tuple{6, 1025},
                                         std::tuple{20, 2051},
                                         std::tuple{70, 259}));

TEST(Svgd, RefusesTermsAndStatesOfAnotherShape) {
  const Kde narrow(random_matrix(6, 20, 1), 1);
  for (const Index columns : {Index{19}, Index{40}, Index{2000}}) {
    Matrix x = random_matrix(6, columns, 2);
    EXPECT_THROW_MESSAGE(svgd(x, {{+1, narrow}}, {.steps = 1}), InvalidArgument, "it must have 20 columns");
  }
  Matrix x = random_matrix(6, 20, 3);
  const AdaGrad rule;
  const auto state = rule.start(6, 21);
  EXPECT_THROW_MESSAGE(
      svgd(x, {{+1, narrow}}, {.steps = 1, .step_rule = &rule, .state = state.get()}), InvalidArgument, "6 x 21");
}

// An observer sees the rule's memory as it was before the step, so that what it saves can be continued.
TEST(Svgd, AnObserverSeesTheStateBeforeTheStep) {
  const GaussianScore target(RowVector::Zero(3), RowVector::Ones(3));
  const AdaGrad rule;
  const auto state = rule.start(4, 3);
  std::vector<Real> counts;
  SvgdOptions options{.steps = 3, .step_rule = &rule, .state = state.get()};
  options.observe = [&](const SvgdOptions::Trace&) { counts.push_back(state->memory().back()(0, 0)); };
  Matrix x = random_matrix(4, 3, 1);
  svgd(x, {{+1, target}}, options);
  EXPECT_EQ(counts, (std::vector<Real>{0, 1, 2}));
}

TEST(StepRule, MovesBlocksAsItMovesTheWhole) {
  const Matrix direction = random_matrix(3, 40, 1);
  const AdaGrad adagrad;
  const Adam adam;
  const FallingStep falling(adagrad, 2);
  for (const StepRule* rule : std::initializer_list<const StepRule*>{&adagrad, &adam, &falling}) {
    const auto whole = rule->start(3, 40);
    const auto blocks = rule->start(3, 40);
    Matrix x = Matrix::Zero(3, 40);
    Matrix y = x;
    for (int step = 0; step < 2; ++step) {
      whole->step(direction, x);
      blocks->begin_step();
      blocks->move_columns(17, direction.rightCols(23), y.rightCols(23));
      blocks->move_columns(0, direction.leftCols(17), y.leftCols(17));
    }
    EXPECT_TRUE(close(y, x));
    EXPECT_THROW_MESSAGE(blocks->move_columns(18, direction.rightCols(23), y.rightCols(23)),
                         InvalidArgument,
                         "the step is for 3 x 23 particles from column 18 on; the rule's state is for 3 x 40");
  }
}

}  // namespace
}  // namespace fedstein
