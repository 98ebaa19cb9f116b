// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/pmd.h"

#include <gtest/gtest.h>

#include "fedstein/methods/registry.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/numeric/check.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Particles particles_of(const Model& model,
                       const Batch& data,
                       Index rounds,
                       const std::vector<std::pair<std::string, SettingValue>>& values) {
  const Algorithm& pmd = algorithm_named("pmd");
  Settings settings(pmd.settings);
  for (const auto& [key, value] : values) settings.set(key, value);
  Federation federation(pmd, settings, model, {data}, {.seed = 3});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(1), transport, recorder, {.rounds = rounds});
  for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty());
  return recorder.particles.back();
}

class ConjugatePmd : public testing::TestWithParam<std::string> {};

// N = 200: the mean of as many independent draws has a deviation of 0.06, their variance one of 10 %. The KDE widens q
// in every step, which comes to lambda^2 / eta in all: 5 % at the end.
TEST_P(ConjugatePmd, HasThePosteriorsMoments) {
  Matrix x(4, 1);
  x << -1, 3, 0.5_r, 2;
  const Vector y = Vector::Zero(4);
  const ConjugateGaussian model({DoubleVector::Constant(1, 1), DoubleMatrix::Constant(1, 1, 1.5)},
                                DoubleMatrix::Constant(1, 1, 4));
  for (const double alpha : {1.0, 2.0}) {
    const Gaussian truth = model.posterior(x, alpha);
    const Particles found =
        particles_of(model, {x, y}, 3, {{"particles", Index{200}}, {"temperature", alpha}, {"start", GetParam()}});
    const DoubleVector values = found.col(0).cast<double>();
    const double variance = (values.array() - values.mean()).square().mean();
    RecordProperty("mean_error", std::to_string(values.mean() - truth.mean(0)));
    RecordProperty("variance_ratio", std::to_string(variance / truth.covariance(0, 0)));
    EXPECT_NEAR(values.mean(), truth.mean(0), 0.15) << alpha;
    EXPECT_NEAR(variance / truth.covariance(0, 0), 1, 0.3) << alpha;
  }
}

INSTANTIATE_TEST_SUITE_P(Starts, ConjugatePmd, testing::Values("prior", "near-zero"), [](const auto& start) {
  return start.param == "prior" ? "Prior" : "NearZero";
});

TEST(Pmd, StaysInsideAUniformPrior) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kUniform);
  const FactorShards shards(model);
  const Particles found = particles_of(model, shards.all(), 2, {{"particles", Index{50}}});
  EXPECT_LE(found.cwiseAbs().maxCoeff(), 6);
  EXPECT_GT(found.maxCoeff() - found.minCoeff(), 1);
}

TEST(Pmd, RefusesAStepBeyondOne) {
  Settings settings(algorithm_named("pmd").settings);
  EXPECT_THROW_MESSAGE(settings.set("step", 1.5), InvalidArgument, "at most 1");
}

}  // namespace
}  // namespace fedstein
