// SPDX-License-Identifier: Apache-2.0
// The paper's equivalences: where two algorithms must be the same, they are.
#include <gtest/gtest.h>

#include "fedstein/methods/dsvgd.h"
#include "fedstein/methods/particles/replace_server.h"
#include "fedstein/methods/registry.h"
#include "fedstein/methods/u_dsvgd.h"
#include "fedstein/stein/kde.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr Index kSteps = 30;

std::vector<Particles> run(const Algorithm& algorithm,
                           const Settings& settings,
                           const Model& model,
                           const std::vector<Batch>& shards,
                           Index rounds) {
  Federation federation(algorithm, settings, model, shards, {.seed = 5});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(federation.agents()), transport, recorder, {.rounds = rounds});
  return recorder.particles;
}

Settings settings_of(const Algorithm& algorithm) {
  Settings settings(algorithm.settings);
  settings.set("particles", Index{20});
  settings.set("local_steps", kSteps);
  return settings;
}

// SVGD on prior and likelihood, its accumulator fresh every kSteps steps.
std::vector<Particles> restarted_svgd(const Model& model, const Batch& data, Particles particles, Index rounds) {
  const PriorScore prior(model);
  const FullLikelihood likelihood(model, data);
  std::vector<Particles> after;
  for (Index round = 0; round < rounds; ++round) {
    svgd(particles, {{+1, prior}, {+1, likelihood}}, {.steps = kSteps});
    after.push_back(particles);
  }
  return after;
}

TEST(Equivalence, WithOneAgentDsvgdsFirstRoundIsSvgd) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const Algorithm& algorithm = algorithm_named("dsvgd");
  for (const std::string distillation : {"score", "svgd"}) {
    Settings settings = settings_of(algorithm);
    settings.set("distillation", distillation);
    const Particles start = initial_particles(model, dsvgd_options(settings), 5);
    const auto expected = restarted_svgd(model, shards.all(), start, 1);
    const auto found = run(algorithm, settings, model, {shards.all()}, 1);
    EXPECT_TRUE(close(found[0], expected[0], kIteratedTolerance)) << distillation;
  }
}

TEST(Equivalence, WithOneAgentUDsvgdIsSvgdRestartedEveryRound) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const Algorithm& algorithm = algorithm_named("u-dsvgd");
  const Settings settings = settings_of(algorithm);
  const Particles start = initial_particles(model, particle_options(settings), 5);
  const auto expected = restarted_svgd(model, shards.all(), start, 4);
  const auto found = run(algorithm, settings, model, {shards.all()}, 4);
  for (std::size_t round = 0; round < 4; ++round) {
    EXPECT_TRUE(close(found[round], expected[round], kIteratedTolerance)) << "round " << round + 1;
  }
}

TEST(Equivalence, CentralisedRoundsAreOneLongSvgd) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kUniform);
  const FactorShards shards(model);
  const Algorithm& algorithm = algorithm_named("svgd");
  const Settings settings = settings_of(algorithm);
  Particles expected = initial_particles(model, particle_options(settings), 5);
  const PriorScore prior(model);
  const FullLikelihood likelihood(model, shards.all());
  svgd(expected, {{+1, prior}, {+1, likelihood}}, {.steps = 3 * kSteps, .constrain = constraint_of(model)});
  EXPECT_TRUE(identical(run(algorithm, settings, model, {shards.all()}, 3).back(), expected));
}

// app:udsvgd_to_pvi: with one particle, a KDE of bandwidth lambda is a Gaussian of covariance lambda^2, the ratio of
// two of them an exponential of a linear function, and U-DSVGD is partitioned variational inference with that
// covariance fixed, gradients taken at the mean. Here PVI in its own terms: natural parameters eta = mean / lambda^2.
TEST(Equivalence, WithOneParticleUDsvgdIsFixedCovariancePvi) {
  constexpr double kLambda = 0.55;
  const Gaussian prior{DoubleVector::Zero(1), DoubleMatrix::Constant(1, 1, kLambda * kLambda)};
  const auto normal = [](double mean, double variance) {
    return Gaussian{DoubleVector::Constant(1, mean), DoubleMatrix::Constant(1, 1, variance)};
  };
  const GaussianMixture model(prior, {{{1, normal(1, 4)}}, {{1, normal(-3, 1)}, {1, normal(3, 2)}}});
  const FactorShards shards(model);
  const Algorithm& algorithm = algorithm_named("u-dsvgd");
  Settings settings = settings_of(algorithm);
  settings.set("particles", Index{1});
  const auto found = run(algorithm, settings, model, shards.per_agent(), 6);

  Matrix mean = initial_particles(model, particle_options(settings), 5);
  // The first global belief is the prior, whatever its first sample was.
  double eta = 0;
  std::vector<double> eta_k(2, 0.0);
  for (std::size_t round = 0; round < 6; ++round) {
    const std::size_t k = round % 2;
    const double cavity = eta - eta_k[k];
    const FullLikelihood likelihood(model, shards.per_agent()[k]);
    const auto state = AdaGrad().start(1, 1);
    for (Index step = 0; step < kSteps; ++step) {
      Matrix gradient =
          Matrix::Constant(1, 1, static_cast<Real>(cavity - static_cast<double>(mean(0, 0)) / (kLambda * kLambda)));
      likelihood.add(mean, step, 1, gradient);
      state->step(gradient, mean);
    }
    const double next = static_cast<double>(mean(0, 0)) / (kLambda * kLambda);
    eta_k[k] = next - cavity;
    eta = next;
    EXPECT_TRUE(close(found[round], mean, kIteratedTolerance)) << "round " << round + 1;
  }
}

// Theorem 1: with t_k = exp(-L_k / alpha) for every k, each tilted distribution is the global posterior itself.
TEST(Equivalence, AtTheFixedPointEveryTiltedScoreIsTheGlobalOne) {
  const GaussianMixture model = toy_mixture_2d();
  const FactorShards shards(model);
  const PriorScore prior(model);
  const Matrix theta = random_matrix(10, 2, 1);
  for (const double alpha : {1.0, 0.3}) {
    const FullLikelihood all(model, shards.all());
    Matrix global(10, 2);
    evaluate_terms({{+1, prior}, {1 / alpha, all}}, theta, 0, global);
    for (const Batch& shard : shards.per_agent()) {
      const FullLikelihood own(model, shard);
      Matrix tilted(10, 2);
      evaluate_terms({{+1, prior}, {1 / alpha, all}, {-1 / alpha, own}, {1 / alpha, own}}, theta, 0, tilted);
      EXPECT_TRUE(close(tilted, global));
    }
  }
}

}  // namespace
}  // namespace fedstein
