// SPDX-License-Identifier: Apache-2.0
// FALD and VR-FALD* against posteriors that are known in closed form.
#include "fedstein/methods/fald.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/methods/methods.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "fedstein/model/log_density_model.h"
#include "methods/toy_federation.h"

namespace fedstein {
namespace {

constexpr Index kChains = 4000;

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments_of(const Algorithm& algorithm, const Model& model, const std::vector<Batch>& shards, Index rounds) {
  Federation federation(algorithm, model, shards, {.seed = 3});
  std::vector<Index> everybody;
  for (Index k = 0; k < federation.agents(); ++k) everybody.push_back(k);
  InProcessTransport transport(federation.agent_pointers());
  class Silent : public Observer {
    Next on_round(RoundRecord& record, const Particles& /*particles*/) override {
      EXPECT_TRUE(record.failures.empty());
      return Next::kContinue;
    }
  } silent;
  coordinate(federation.server(), ListedSchedule({everybody}), transport, silent, {.rounds = rounds});
  const DoubleVector ends = federation.server().particles().col(0).cast<double>();
  return {ends.mean(), (ends.array() - ends.mean()).square().mean()};
}

// Model and data of langevin_posterior_test.cc, whose words on tolerances hold here too: four deviations of N draws,
// and for the variance 0.02 v more for burn-in and step size.
class Observations : public testing::Test {
 protected:
  Observations()
      : model_({DoubleVector::Constant(1, 1), DoubleMatrix::Constant(1, 1, 1.5)}, DoubleMatrix::Constant(1, 1, 4)) {
    x_ << -1, 1, 2, 4;
  }
  Batch all() const { return {x_, y_}; }
  void expect_posterior(const Moments& found) const {
    const Gaussian expected = model_.posterior(x_);
    const double v = expected.covariance(0, 0);
    const auto n = static_cast<double>(kChains);
    EXPECT_NEAR(found.mean, expected.mean(0), 4 * std::sqrt(v / n));
    EXPECT_NEAR(found.variance / v, 1, 4 * std::sqrt(2 / n) + 0.02);
  }

  ConjugateGaussian model_;
  Matrix x_ = Matrix(4, 1);
  Vector y_ = Vector::Zero(4);
};

TEST_F(Observations, WithOneAgentBothHaveTheLawOfSgld) {
  for (const double tau : {0.0, 0.5, 1.0}) {
    expect_posterior(
        moments_of(methods::fald({.particles = kChains, .local_steps = 100, .a0 = 0.5, .shared_noise = tau}),
                   model_,
                   {all()},
                   10));
  }
  expect_posterior(
      moments_of(methods::vr_fald({.particles = kChains, .local_steps = 100, .a0 = 0.5}), model_, {all()}, 10));
}

// One row against three. Whatever part of the noise is shared, its mean over the agents has the variance of a step:
// own noise that forgot its n_S/n_k would have 10/16 of it.
TEST_F(Observations, TheMeanOfTheAgentsNoiseHasTheVarianceOfAStep) {
  const std::vector<Batch> shards = {all().middle_rows(0, 1), all().middle_rows(1, 3)};
  for (const double tau : {0.0, 0.5, 1.0}) {
    expect_posterior(moments_of(
        methods::fald({.particles = kChains, .local_steps = 20, .a0 = 0.5, .shared_noise = tau}), model_, shards, 50));
    expect_posterior(
        moments_of(methods::vr_fald({.particles = kChains, .local_steps = 20, .a0 = 0.5, .shared_noise = tau}),
                   model_,
                   shards,
                   50));
  }
}

// A line through 0, y = theta x + noise: an agent with x = 2 that says 1 and one with x = 0.5 that says -1. The scores
// of their likelihoods, standing for all data, are 8 (1 - theta) and 0.5 (-1 - theta), and the posterior has precision
// 1 + 4 + 0.25 and mean 3.75 / 5.25 = 0.71.
//
// After many steps from theta an FALD agent stands at its own mean, 8/9 or -0.5/1.5 (the prior has precision 1), and
// the server in the middle, 0.28: the drift that VR-FALD* corrects. Its agents' scores differ by the curvatures alone,
// and those act on theta - Y.
TEST(SkewedLine, VrFaldHasThePosteriorsMeanAndFaldHasNot) {
  const LogDensityModel line({.dimension = 1,
                              .inputs = 1,
                              .log_likelihood =
                                  [](const ConstRowRef& theta, const ConstRowRef& x, Real y) {
                                    const double rest = static_cast<double>(y - theta(0) * x(0));
                                    return -rest * rest / 2;
                                  },
                              .add_score =
                                  [](const ConstRowRef& theta, const ConstRowRef& x, Real y, Real weight, RowRef grad) {
                                    grad(0) += weight * (y - theta(0) * x(0)) * x(0);
                                  }});
  Matrix x(2, 1);
  x << 2, 0.5_r;
  Vector y(2);
  y << 2, -0.5_r;
  const std::vector<Batch> shards = {Batch{x, y}.middle_rows(0, 1), Batch{x, y}.middle_rows(1, 1)};
  const double mean = 3.75 / 5.25, deviation = std::sqrt(1 / 5.25 / static_cast<double>(kChains));
  const Moments fald =
      moments_of(methods::fald({.particles = kChains, .local_steps = 200, .a0 = 0.5}), line, shards, 30);
  EXPECT_NEAR(fald.mean, 0.49, 0.05);
  const Moments cured =
      moments_of(methods::vr_fald({.particles = kChains, .local_steps = 200, .a0 = 0.5}), line, shards, 30);
  EXPECT_NEAR(cured.mean, mean, 4 * deviation + 0.02);
}

}  // namespace
}  // namespace fedstein
