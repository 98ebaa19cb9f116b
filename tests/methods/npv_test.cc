// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/npv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/methods/registry.h"
#include "fedstein/metrics/divergence.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/log_sum_exp.h"
#include "methods/toy_federation.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

// Means and log variances after some rounds.
Matrix components_of(const Model& model, const Batch& data, Index components, Index rounds, double alpha = 1) {
  const Algorithm& npv = algorithm_named("npv");
  Settings settings(npv.settings);
  settings.set("particles", components);
  settings.set("temperature", alpha);
  Federation federation(npv, settings, model, {data}, {.seed = 3});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(1), transport, recorder, {.rounds = rounds});
  for (const RoundRecord& record : recorder.records) EXPECT_TRUE(record.failures.empty());
  return dynamic_cast<NpvServer&>(federation.server()).components();
}

TEST(Npv, OneComponentIsExactOnTheConjugateGaussian) {
  const Matrix x = random_matrix(7, 3, 2, 1, 2);
  const Vector y = Vector::Zero(7);
  const ConjugateGaussian model({DoubleVector::Zero(3), DoubleMatrix::Identity(3, 3)},
                                DoubleMatrix::Identity(3, 3) * 4);
  for (const double alpha : {1.0, 2.0}) {
    const Gaussian truth = model.posterior(x, alpha);
    const Matrix found = components_of(model, {x, y}, 1, 2, alpha);
    EXPECT_TRUE(close(found.leftCols(3), truth.mean.transpose(), 1e-3));
    EXPECT_NEAR(std::exp(static_cast<double>(found(0, 3))) / truth.covariance(0, 0), 1, 1e-3);
  }
}

// Of the whole mixture. Its entropy is known only by a bound that is loose by up to d/2 log(e/2) = 0.15, so not exact.
TEST(Npv, ManyComponentsHaveThePosteriorsMoments) {
  Matrix x(4, 1);
  x << -1, 3, 0.5_r, 2;
  const Vector y = Vector::Zero(4);
  const ConjugateGaussian model({DoubleVector::Constant(1, 1), DoubleMatrix::Constant(1, 1, 1.5)},
                                DoubleMatrix::Constant(1, 1, 4));
  const Gaussian truth = model.posterior(x);
  const Matrix found = components_of(model, {x, y}, 10, 8);
  const DoubleVector means = found.col(0).cast<double>();
  const double variance =
      found.col(1).cast<double>().array().exp().mean() + (means.array() - means.mean()).square().mean();
  RecordProperty("variance_ratio", std::to_string(variance / truth.covariance(0, 0)));
  EXPECT_NEAR(means.mean(), truth.mean(0), 0.05);
  EXPECT_NEAR(variance / truth.covariance(0, 0), 1, 0.15);
}

TEST(Npv, FindsBothModesOfTheToy) {
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const Matrix found = components_of(model, shards.all(), 10, 8);
  const Matrix places = grid_points({-9, 9, 2001});
  DoubleVector log_q(places.rows());
  for (Index i = 0; i < places.rows(); ++i) {
    DoubleVector terms(found.rows());
    for (Index n = 0; n < found.rows(); ++n) {
      const double variance = std::exp(static_cast<double>(found(n, 1)));
      const double gap = static_cast<double>(places(i, 0) - found(n, 0));
      terms(n) = -gap * gap / (2 * variance) - std::log(variance) / 2;
    }
    log_q(i) = log_sum_exp(std::span<const double>(terms.data(), 10));
  }
  const double divergence = kl_on_grid(log_q, model.log_posterior(places)).forward;
  RecordProperty("divergence", std::to_string(divergence));
  EXPECT_LT(divergence, 0.06);  // the best single Gaussian has 0.077
}

TEST(Npv, RefusesNetworksAndUniformPriors) {
  const Algorithm& npv = algorithm_named("npv");
  const BnnRegression network({.inputs = 2, .hidden = 3});
  EXPECT_THAT(npv.objection(network), testing::HasSubstr("second derivatives are not known"));
  EXPECT_THAT(npv.objection(toy_mixture_1d(ToyPrior::kUniform)), testing::HasSubstr("uniform on a box"));
  EXPECT_EQ(npv.objection(toy_mixture_1d(ToyPrior::kNormal)), "");
}

// A cap on the rows is a sample of the posterior's: 500 of 2000 rows, each counted four times, give its variance and,
// within the sample's own error, its mean.
TEST(Npv, ACapOnTheRowsStandsForAllOfThem) {
  const Matrix x = random_matrix(2000, 1, 2, 1, 2);
  const Vector y = Vector::Zero(2000);
  const ConjugateGaussian model({DoubleVector::Zero(1), DoubleMatrix::Identity(1, 1)}, DoubleMatrix::Constant(1, 1, 4));
  const Algorithm& npv = algorithm_named("npv");
  Settings settings(npv.settings);
  settings.set("particles", Index{1});
  settings.set("rows", Index{500});
  Federation federation(npv, settings, model, {{x, y}}, {.seed = 3});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(1), transport, recorder, {.rounds = 3});
  const Gaussian truth = model.posterior(x);
  const Matrix first = recorder.particles[1];
  EXPECT_FALSE(identical(first, recorder.particles[2])) << "every round has rows of its own";
  const Matrix found = dynamic_cast<NpvServer&>(federation.server()).components();
  EXPECT_NEAR(std::exp(static_cast<double>(found(0, 1))) / truth.covariance(0, 0), 1, 1e-2);
  EXPECT_NEAR(static_cast<double>(found(0, 0)), truth.mean(0), 4 * 2 / std::sqrt(500.0));
}

}  // namespace
}  // namespace fedstein
