// SPDX-License-Identifier: Apache-2.0
// FedEP against Gaussian posteriors: exact where coordinates are independent, and where they are not with the variances
// of moment matching, which PVI does not have.
#include "fedstein/methods/fedep.h"

#include <gtest/gtest.h>

#include "fedstein/federated/state.h"
#include "fedstein/methods/methods.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "methods/model_worlds.h"
#include "methods/toy_federation.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

NaturalGaussian end_of(
    const Algorithm& method, const Model& model, const std::vector<Batch>& shards, Index at_once, Index rounds) {
  Federation made(method, model, shards, {.seed = 6});
  std::vector<std::vector<Index>> schedule;
  for (Index k = 0; k < made.agents(); k += at_once) {
    schedule.emplace_back();
    for (Index j = k; j < std::min(made.agents(), k + at_once); ++j) schedule.back().push_back(j);
  }
  InProcessTransport transport(made.agent_pointers());
  Recorder recorder;
  coordinate(made.server(), ListedSchedule(schedule), transport, recorder, {.rounds = rounds});
  for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty());
  return from_belief(made.server().plan(rounds + 1, {0}).front().belief);
}

// Prior N(0, 1), forty rows of noise variance 4, three independent coordinates.
TEST(FedEp, IsExactForAGaussianWithIndependentCoordinates) {
  const World world = conjugate_world();
  for (const double alpha : {1.0, 2.0}) {
    const Gaussian expected = dynamic_cast<const ConjugateGaussian&>(*world.model).posterior(world.x, alpha);
    const Algorithm method = methods::fedep({.local_steps = 40, .temperature = alpha});
    for (const Index at_once : {1, 4}) {
      const NaturalGaussian q = end_of(method, *world.model, world.shards(), at_once, 60);
      EXPECT_LT((q.mean() - expected.mean).norm(), 1e-3) << at_once << " agents a round, temperature " << alpha;
      EXPECT_LT((q.covariance() - expected.covariance).norm(), 1e-3 * expected.covariance.norm()) << at_once;
    }
  }
}

// Two coordinates whose posterior has correlation 0.8, nearly: a flat prior and noise of that correlation. The variance
// of one is 1/(1 - 0.64) = 2.8 times what it is given the other.
TEST(FedEp, MatchesMomentsWherePviDoesNot) {
  DoubleMatrix noise(2, 2);
  noise << 1, 0.8, 0.8, 1;
  const ConjugateGaussian model({DoubleVector::Zero(2), 100 * DoubleMatrix::Identity(2, 2)}, noise);
  const Matrix x = random_matrix(20, 2, 1);
  const Vector y = Vector::Zero(20);
  const Gaussian expected = model.posterior(x);
  const std::vector<Batch> all = {{x, y}};
  const NaturalGaussian ep = end_of(methods::fedep({.local_steps = 2000, .pairs = 64}), model, all, 1, 3);
  const NaturalGaussian vi = end_of(methods::pvi({.local_steps = 500, .covariance = "diagonal"}), model, all, 1, 3);
  for (Index j = 0; j < 2; ++j) {
    const double marginal = expected.covariance(j, j), given_the_other = marginal * (1 - 0.64);
    EXPECT_NEAR(ep.covariance()(j, j) / marginal, 1, 0.15) << j;
    EXPECT_NEAR(vi.covariance()(j, j) / given_the_other, 1, 0.1) << j;
    EXPECT_NEAR(ep.mean()(j), expected.mean(j), 0.2 * std::sqrt(marginal)) << j;
  }
}

TEST(FedEp, StateIsNotPvis) {
  const World world = conjugate_world();
  Federation ours(methods::fedep({.local_steps = 3}), *world.model, world.shards(), {.seed = 1});
  Federation theirs(methods::pvi({.local_steps = 3}), *world.model, world.shards(), {.seed = 1});
  EXPECT_THROW(theirs.agent(0).restore(ours.agent(0).save()), BadState);
  EXPECT_THROW(ours.agent(0).restore(theirs.agent(0).save()), BadState);
}

}  // namespace
}  // namespace fedstein
