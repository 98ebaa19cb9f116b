// SPDX-License-Identifier: Apache-2.0
// Lemma 2 of the paper, exact for U-DSVGD: for every q and the agent k of the round,
//
//   F(q) = F_k(q) + alpha sum over m != k of  E_q log( t_m / exp(-L_m / alpha) ),                     [th:lemma2]
//
// F(q) = sum_k E_q L_k + alpha KL(q || p0) the global free energy, F_k(q) = E_q L_k + alpha KL(q || q(i-1) / t_k) the
// local one.
#include <gtest/gtest.h>

#include "fedstein/methods/registry.h"
#include "fedstein/methods/u_dsvgd.h"
#include "fedstein/stein/kde.h"
#include "methods/toy_federation.h"
#include "support/close.h"

namespace fedstein {
namespace {

constexpr Index kPoints = 3001;
constexpr double kFrom = -9, kTo = 9;

Matrix grid() {
  return Vector::LinSpaced(kPoints, static_cast<Real>(kFrom), static_cast<Real>(kTo));
}

double expectation(const DoubleVector& log_q, const DoubleVector& values) {
  return (log_q.array().exp() * values.array()).sum() * (kTo - kFrom) / (kPoints - 1);
}

TEST(Lemma2, GlobalFreeEnergyIsTheLocalOnePlusTheOthersMismatch) {
  constexpr double kAlpha = 0.8;
  const GaussianMixture model = toy_mixture_1d(ToyPrior::kNormal);
  const FactorShards shards(model);
  const Algorithm& algorithm = algorithm_named("u-dsvgd");
  Settings settings(algorithm.settings);
  settings.set("particles", Index{40});
  settings.set("temperature", kAlpha);
  Federation federation(algorithm, settings, model, shards.per_agent(), {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  coordinate(federation.server(), RoundRobin(2), transport, recorder, {.rounds = 5});

  // log t_k = sum over k's rounds of log q(j) - log q(j-1), q(0) the prior.
  const Matrix places = grid();
  const DoubleVector log_prior = model.prior_log_density(places);
  std::vector<DoubleVector> log_global = {log_prior};
  for (const Particles& particles : recorder.particles) log_global.push_back(Kde(particles, 0.55).log_density(places));
  std::vector<DoubleVector> log_t(2, DoubleVector::Zero(kPoints));
  for (std::size_t i = 1; i < log_global.size(); ++i) log_t[(i - 1) % 2] += log_global[i] - log_global[i - 1];

  std::vector<DoubleVector> loss;
  for (const Batch& shard : shards.per_agent()) loss.push_back(-model.log_likelihood(places, shard));
  const DoubleVector log_q = Kde(recorder.particles[2], 0.55).log_density(places);
  const auto divergence = [&](const DoubleVector& log_p) { return expectation(log_q, log_q - log_p); };

  const double global = expectation(log_q, loss[0] + loss[1]) + kAlpha * divergence(log_prior);
  for (const std::size_t k : {0, 1}) {
    const std::size_t m = 1 - k;
    const DoubleVector cavity = log_global.back() - log_t[k];
    const double local = expectation(log_q, loss[k]) + kAlpha * divergence(cavity);
    const double mismatch = kAlpha * expectation(log_q, log_t[m] + loss[m] / kAlpha);
    EXPECT_TRUE(close(global, local + mismatch)) << "agent " << k;
  }
}

}  // namespace
}  // namespace fedstein
