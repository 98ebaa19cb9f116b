// SPDX-License-Identifier: Apache-2.0
// What svgd() says about a run, and the two ways to end one early.
#include "fedstein/stein/svgd_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "fedstein/numeric/check.h"
#include "fedstein/stein/ksd.h"
#include "fedstein/stein/svgd.h"
#include "support/close.h"
#include "support/gaussian_score.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

double root_mean_square(const ConstMatrixRef& values) {
  return std::sqrt(values.cast<double>().array().square().mean());
}

class SvgdRun : public testing::Test {
 protected:
  GaussianScore target_{RowVector::Constant(2, 3), RowVector::Ones(2)};
  Particles start_ = random_matrix(10, 2, 1);
};

TEST_F(SvgdRun, MeasuresNothingUnasked) {
  Particles particles = start_;
  const SvgdSummary summary = svgd(particles, {{+1, target_}}, {.steps = 30});
  EXPECT_EQ(summary.steps, 30);
  EXPECT_EQ(summary.stop, SvgdStop::kAllSteps);
  EXPECT_FALSE(summary.direction.has_value());
  EXPECT_FALSE(summary.ksd.has_value());
  EXPECT_EQ(summary.message(), "svgd stopped after 30 steps because all steps are taken.");
}

TEST_F(SvgdRun, EndsWhereTheDirectionIsBelowTheTolerance) {
  std::vector<double> sizes;
  SvgdOptions options{.steps = 5000};
  options.observe = [&](const SvgdOptions::Trace& at) { sizes.push_back(root_mean_square(at.direction)); };
  options.tolerance = 0.01;
  Particles particles = start_;
  const SvgdSummary summary = svgd(particles, {{+1, target_}}, options);
  ASSERT_LT(summary.steps, 5000);
  ASSERT_GT(summary.steps, 0);
  EXPECT_EQ(summary.stop, SvgdStop::kTolerance);
  // The direction was found one time more often than a step was taken, and only the last one was small.
  ASSERT_EQ(static_cast<Index>(sizes.size()), summary.steps + 1);
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) ASSERT_GE(sizes[l], 0.01) << l;
  EXPECT_LT(sizes.back(), 0.01);
  EXPECT_NEAR(*summary.direction, sizes.back(), 1e-12);

  // The particles are those after as many steps without a tolerance.
  Particles without = start_;
  svgd(without, {{+1, target_}}, {.steps = summary.steps});
  EXPECT_TRUE(identical(particles, without));
}

TEST_F(SvgdRun, EndsWhenTheCallbackSaysSo) {
  const AdaGrad rule;
  const auto state = rule.start(start_.rows(), start_.cols());
  SvgdOptions options{.steps = 100, .step_rule = &rule, .first_step = 4, .state = state.get()};
  options.stop_when = [](const SvgdOptions::Trace& at) { return at.step == 11; };
  Particles particles = start_;
  const SvgdSummary summary = svgd(particles, {{+1, target_}}, options);
  EXPECT_EQ(summary.steps, 7);
  EXPECT_EQ(summary.stop, SvgdStop::kCallback);
  EXPECT_NE(summary.message().find("after 7 steps because the callback ended it, last direction "), std::string::npos)
      << summary.message();

  // Going on from there is as if nothing had happened.
  options.first_step = 11;
  options.steps = 5;
  options.stop_when = {};
  EXPECT_EQ(svgd(particles, {{+1, target_}}, options).steps, 5);
  Particles at_once = start_;
  svgd(at_once, {{+1, target_}}, {.steps = 12, .step_rule = &rule});
  EXPECT_TRUE(identical(particles, at_once));
}

TEST_F(SvgdRun, MayEndBeforeItsFirstStep) {
  Particles particles = start_;
  SvgdOptions options{.steps = 5, .tolerance = 1e6};
  const SvgdSummary summary = svgd(particles, {{+1, target_}}, options);
  EXPECT_EQ(summary.steps, 0);
  EXPECT_EQ(summary.stop, SvgdStop::kTolerance);
  EXPECT_TRUE(identical(particles, start_));
  EXPECT_EQ(svgd(particles, {{+1, target_}}, {.steps = 0, .tolerance = 1}).direction, std::nullopt);
}

TEST_F(SvgdRun, FindsTheKsdOfTheResultOnRequest) {
  Particles particles = start_;
  const SvgdSummary summary = svgd(particles, {{+1, target_}}, {.steps = 40, .measure_ksd = true});
  Matrix scores(particles.rows(), particles.cols());
  evaluate_terms({{+1, target_}}, particles, 40, scores);
  EXPECT_DOUBLE_EQ(summary.ksd.value(), ksd(default_kernel(), particles, scores));
  EXPECT_NE(summary.message().find(", KSD "), std::string::npos) << summary.message();
  Particles without = start_;
  svgd(without, {{+1, target_}}, {.steps = 40});
  EXPECT_TRUE(identical(particles, without));
}

TEST_F(SvgdRun, RefusesAToleranceThatIsNone) {
  Particles particles = start_;
  EXPECT_THROW_MESSAGE(
      svgd(particles, {{+1, target_}}, {.tolerance = -1}), InvalidArgument, "options.tolerance is -1; it must be");
  EXPECT_THROW_MESSAGE(svgd(particles, {{+1, target_}}, {.tolerance = NAN}), InvalidArgument, "options.tolerance");
}

// A tolerance must not take a direction that is no number for a small one.
TEST_F(SvgdRun, DivergenceUnderATolerance) {
  const GaussianScore steep(RowVector::Constant(2, std::numeric_limits<Real>::max()), RowVector::Ones(2));
  Particles particles = start_;
  EXPECT_THROW(svgd(particles, {{+1, steep}}, {.steps = 5, .tolerance = 0.1}), Divergence);
  EXPECT_TRUE(identical(particles, start_));
}

TEST(Term, OfATemporaryDoesNotCompile) {
  static_assert(std::is_constructible_v<Term, double, const GaussianScore&>);
  static_assert(std::is_constructible_v<Term, double, GaussianScore&>);
  static_assert(!std::is_constructible_v<Term, double, GaussianScore>);
  static_assert(!std::is_constructible_v<Term, double, const GaussianScore>);
}

TEST_F(SvgdRun, SaysThatAToleranceWasNotReached) {
  Particles particles = start_;
  const SvgdSummary summary = svgd(particles, {{+1, target_}}, {.steps = 3, .tolerance = 1e-9});
  EXPECT_NE(summary.message().find("all steps are taken; the tolerance 1e-09 was not reached"), std::string::npos)
      << summary.message();
}

}  // namespace
}  // namespace fedstein
