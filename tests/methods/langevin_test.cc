// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/langevin/langevin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// The same score everywhere.
class Constant : public Score {
 public:
  explicit Constant(double value) : value_(value) {}
  void add(const ConstMatrixRef& /*theta*/, Index /*step*/, double weight, MatrixRef grad) const override {
    grad.array() += static_cast<Real>(weight * value_);
  }

 private:
  double value_;
};

TEST(Langevin, StepFallsAsInThePaper) {
  LangevinOptions options;
  EXPECT_NEAR(langevin_step(options, 0), 0.01 * std::pow(0.5, -0.55), 1e-15);
  EXPECT_NEAR(langevin_step(options, 1999), 0.01 * std::pow(1999.5, -0.55), 1e-15);
  options.scale_by_particles = true;
  EXPECT_NEAR(langevin_step(options, 0), 0.01 * std::pow(0.5, -0.55) / 6, 1e-15);
}

TEST(Langevin, MovesByHalfTheStepTimesTheScoreAndNoiseOfTheStepsVariance) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  LangevinOptions options;
  options.a0 = 0.3;
  Matrix chains = Matrix::Zero(200, 100);
  const Constant score(1.5);
  langevin(model, options, {.steps = 1, .time = 7, .noise = {.seed = 4}}, {{2, score}}, chains);
  const double step = langevin_step(options, 7);
  const double mean = chains.cast<double>().mean();
  const double variance = (chains.cast<double>().array() - mean).square().mean();
  // 20000 independent draws: the mean has deviation sqrt(step / 20000), the variance step sqrt(2 / 20000) = 0.01 step.
  EXPECT_NEAR(mean, step / 2 * 3, 4 * std::sqrt(step / 20000));
  EXPECT_NEAR(variance / step, 1, 0.04);
}

TEST(Langevin, ReleasedNoiseIsOneSmallNumberForAll) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  LangevinOptions options;
  options.a0 = 1;
  options.noise = "released";
  const double step = langevin_step(options, 7);
  const Constant score(1);
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Matrix chains = Matrix::Zero(3, 2);
    langevin(model, options, {.steps = 1, .time = 7, .noise = {.seed = seed}}, {{0, score}}, chains);
    EXPECT_EQ(chains.minCoeff(), chains.maxCoeff());
    sum += std::pow(static_cast<double>(chains(0, 0)) / (step * step), 2);
  }
  EXPECT_NEAR(sum / 400, 1, 4 * std::sqrt(2.0 / 400));
}

TEST(Langevin, AStretchInTwoPartsIsTheWhole) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const PriorScore prior(model);
  const LangevinOptions options;
  Matrix whole = random_matrix(5, 1, 1);
  Matrix parts = whole;
  langevin(model, options, {.steps = 10, .noise = {.seed = 4}}, {{1, prior}}, whole);
  langevin(model, options, {.steps = 4, .noise = {.seed = 4}}, {{1, prior}}, parts);
  langevin(model, options, {.steps = 6, .time = 4, .first_step = 4, .noise = {.seed = 4}}, {{1, prior}}, parts);
  EXPECT_TRUE(identical(whole, parts));
}

TEST(Langevin, StaysInTheSupport) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kUniform);
  LangevinOptions options;
  options.a0 = 20;
  Matrix chains = Matrix::Zero(50, 1);
  const Constant score(3);
  langevin(model, options, {.steps = 20, .noise = {.seed = 4}}, {{1, score}}, chains);
  EXPECT_LE(chains.cwiseAbs().maxCoeff(), 6);
  EXPECT_GT(chains.maxCoeff() - chains.minCoeff(), 1);
}

TEST(Langevin, ADivergenceLeavesTheChainsAsTheyCame) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  Matrix chains = random_matrix(3, 1, 1);
  const Matrix before = chains;
  const Constant broken(std::numeric_limits<double>::infinity());
  EXPECT_THROW_MESSAGE(
      langevin(model, {}, {.steps = 2}, {{1, broken}}, chains), Divergence, "chain 0 is not finite in coordinate 0");
  EXPECT_TRUE(identical(chains, before));
}

// With rows of their own equal chains get different scores, whose mean over an epoch is still the full one.
TEST(ChainLikelihood, GivesChainsRowsOfTheirOwnAndEveryRowEquallyOften) {
  const LogisticRegression model(3);
  const Matrix x = random_matrix(24, 3, 1);
  Vector y(24);
  for (Index i = 0; i < 24; ++i) y(i) = x(i, 0) > 0 ? 1 : -1;
  const AgentContext context{.model = &model, .data = {x, y}, .agent = 1, .total_rows = 24, .seed = 3};
  const Matrix theta = random_matrix(1, model.dimension(), 2).replicate(4, 1);
  LangevinOptions options;
  options.batch = 3;
  for (const std::string kind : {"own", "shared"}) {
    options.chain_batches = kind;
    const ChainLikelihood likelihood(context, options, 1);
    Matrix first = Matrix::Zero(4, model.dimension());
    likelihood.add(theta, 0, 1, first);
    EXPECT_EQ((first.row(0) - first.row(1)).norm() > 0, kind == "own");
    Matrix sum = Matrix::Zero(4, model.dimension());
    for (Index step = 0; step < 8; ++step) likelihood.add(theta, step, 1.0 / 8, sum);
    Matrix full = Matrix::Zero(4, model.dimension());
    model.add_likelihood_score(theta, context.data, 1, full);
    // Own: 8 steps of 4 chains read four epochs together, 8 of 24 rows a chain each.
    EXPECT_TRUE(close(Matrix(sum.colwise().mean()), Matrix(full.colwise().mean())));
  }
}

}  // namespace
}  // namespace fedstein
