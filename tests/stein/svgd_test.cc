// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/svgd.h"

#include <gtest/gtest.h>

#include <limits>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/stein/collapse.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/ksd.h"
#include "support/close.h"
#include "support/gaussian_score.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

TEST(Svgd, FindsMeanAndVarianceOfAGaussian) {
  RowVector mean(2), variance(2);
  mean << 1, -2;
  variance << 0.5_r, 2;
  const GaussianScore target(mean, variance);
  Particles particles = random_matrix(100, 2, 1);
  svgd(particles, {{+1, target}}, {.steps = 2000});

  const RowVector found_mean = particles.colwise().mean();
  const Matrix centred = particles.rowwise() - found_mean;
  const RowVector found_variance = centred.colwise().squaredNorm() / Real{100};
  EXPECT_TRUE(close(found_mean, mean, 0.02));
  EXPECT_TRUE(close(found_variance, variance, 0.1));  // SVGD itself is a little too narrow at N = 100
}

TEST(Svgd, ATargetIsTheSignedSumOfItsTerms) {
  const GaussianScore wide(RowVector::Zero(1), RowVector::Constant(1, 4));
  const GaussianScore narrow(RowVector::Ones(1), RowVector::Constant(1, 1));
  // 2 * narrow - wide has precision 2 - 1/4 and mean 2 / (2 - 1/4).
  const GaussianScore product(RowVector::Constant(1, 2 / 1.75_r), RowVector::Constant(1, 1 / 1.75_r));
  Particles from_terms = random_matrix(20, 1, 2);
  Particles from_product = from_terms;
  svgd(from_terms, {{+2, narrow}, {-1, wide}}, {.steps = 100});
  svgd(from_product, {{+1, product}}, {.steps = 100});
  EXPECT_TRUE(close(from_terms, from_product, kIteratedTolerance));
}

TEST(Svgd, TermsBesideMoveParticlesAndAreInNoSum) {
  const GaussianScore wide(RowVector::Zero(2), RowVector::Constant(2, 4));
  const GaussianScore narrow(RowVector::Ones(2), RowVector::Constant(2, 1));
  Particles together = random_matrix(20, 2, 2);
  Particles beside = together;
  const Particles start = together;
  svgd(together, {{+1, wide}, {+2, narrow}}, {.steps = 50});
  Matrix sum = Matrix::Zero(20, 2);
  RowVector squares = RowVector::Zero(2);
  svgd(beside, {{+1, wide}}, {.steps = 50, .beside = {{+2, narrow}}});
  EXPECT_TRUE(close(beside, together, kIteratedTolerance));

  Particles one_step = start;
  svgd(one_step, {{+1, wide}}, {.steps = 1, .score_sum = &sum, .square_sum = &squares, .beside = {{+2, narrow}}});
  Matrix expected = Matrix::Zero(20, 2);
  wide.add(start, 0, 1, expected);
  EXPECT_TRUE(close(sum, expected, kIteratedTolerance));
  EXPECT_TRUE(close(squares, RowVector(expected.cwiseAbs2().colwise().mean()), kIteratedTolerance));
}

TEST(Svgd, LowersTheKsdAndPassesTheCollapseDiagnostic) {
  const GaussianScore target(RowVector::Constant(3, 2), RowVector::Constant(3, 0.3_r));
  Particles particles = random_matrix(50, 3, 3);
  std::vector<double> discrepancies;
  SvgdOptions options{.steps = 600};
  options.observe = [&](const SvgdOptions::Trace& at) {
    if (at.step % 200 == 0) discrepancies.push_back(ksd(RbfKernel(), at.particles, at.scores));
  };
  svgd(particles, {{+1, target}}, options);
  Matrix scores = Matrix::Zero(50, 3);
  target.add(particles, 0, 1, scores);
  discrepancies.push_back(ksd(RbfKernel(), particles, scores));
  ASSERT_EQ(discrepancies.size(), 4U);
  EXPECT_LT(discrepancies.back(), 0.1 * discrepancies.front());
  EXPECT_FALSE(diagnose_collapse(particles, scores).collapsed);
}

TEST(Svgd, DoesNotDependOnTheNumberOfThreads) {
  const Kde target(random_matrix(20, 5000, 4), 0.55);
  const Particles start = random_matrix(20, 5000, 5);
  Particles serial = start;
  {
    const ThreadLimit one(1);
    svgd(serial, {{+1, target}}, {.steps = 5});
  }
  for (const int threads : {2, 8}) {
    const ThreadLimit limit(threads);
    Particles threaded = start;
    svgd(threaded, {{+1, target}}, {.steps = 5});
    EXPECT_TRUE(identical(threaded, serial)) << threads << " threads";
  }
}

TEST(Svgd, ConstrainsAfterEveryStep) {
  const GaussianScore target(RowVector::Constant(1, 5), RowVector::Ones(1));
  Particles particles = random_matrix(10, 1, 6);
  SvgdOptions options{.steps = 200};
  options.constrain = [](MatrixRef x) { x = x.cwiseMin(Real{1}); };
  svgd(particles, {{+1, target}}, options);
  EXPECT_LE(particles.maxCoeff(), 1);
}

TEST(Svgd, OneParticleClimbsToTheMode) {
  const GaussianScore target(RowVector::Constant(2, 3), RowVector::Ones(2));
  Particles particle = Matrix::Zero(1, 2);
  svgd(particle, {{+1, target}}, {.steps = 500});
  EXPECT_TRUE(close(particle, Matrix::Constant(1, 2, 3), 0.02));
}

class ExplodingScore : public Score {
 public:
  void add(const ConstMatrixRef& theta, Index step, double /*weight*/, MatrixRef grad) const override {
    grad += Matrix::Constant(theta.rows(), theta.cols(), step == 3 ? std::numeric_limits<Real>::infinity() : Real{1});
  }
};

TEST(Svgd, DivergenceIsAnErrorThatLeavesTheParticlesAlone) {
  const Particles start = random_matrix(3, 2, 7);
  Particles particles = start;
  const ExplodingScore exploding;
  EXPECT_THROW_MESSAGE(svgd(particles, {{+1, exploding}}, {.steps = 10}), Divergence, "after 10 steps");
  EXPECT_TRUE(identical(particles, start));
}

// Scores whose squares overflow would stop AdaGrad for ever without a sound.
TEST(Svgd, AnOverflowInTheStepRuleIsADivergence) {
  const Real large = std::sqrt(std::numeric_limits<Real>::max()) * 10;
  const GaussianScore steep(RowVector::Constant(1, large), RowVector::Ones(1));
  Particles particles = random_matrix(3, 1, 8);
  EXPECT_THROW(svgd(particles, {{+1, steep}}, {.steps = 5}), Divergence);
}

TEST(Svgd, RefusesBadArguments) {
  const GaussianScore target(RowVector::Zero(2), RowVector::Ones(2));
  Particles particles = Matrix::Zero(3, 2);
  EXPECT_THROW_MESSAGE(svgd(particles, {}, {}), InvalidArgument, "svgd: terms is empty");
  EXPECT_THROW_MESSAGE(svgd(particles, {{1, target}}, {.steps = -1}), InvalidArgument, "options.steps is -1");
  particles(2, 0) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(svgd(particles, {{1, target}}, {}), InvalidArgument, "particles holds nan in row 2, column 0");
  Particles none(0, 2);
  EXPECT_THROW_MESSAGE(svgd(none, {{1, target}}, {}), InvalidArgument, "particles is 0 x 2");
}

}  // namespace
}  // namespace fedstein
