// SPDX-License-Identifier: Apache-2.0
// Centralised SVGD from data file to test figure, with fixed seeds.
#include <cmath>

#include "endtoend/prepared.h"
#include "fedstein/metrics/regression.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/likelihood_scores.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/stein/svgd.h"

namespace fedstein {
namespace {

struct SvgdRun {
  Index particles = 6;
  Index steps = 2000;
  Index batch = 100;
  AdaGrad::Options step = {};
  std::uint64_t seed = 1;
};

Particles central_svgd(const Model& model, const Batch& train, const SvgdRun& run) {
  Particles particles(run.particles, model.dimension());
  Rng rng({.seed = run.seed, .purpose = Purpose::kPriorDraw});
  model.draw_prior(rng, particles);
  model.fit_start(train, particles);
  const PriorScore prior(model);
  const MinibatchLikelihood likelihood(model, train, run.batch, {.seed = run.seed});
  const AdaGrad rule(run.step);
  svgd(particles, {{+1, prior}, {+1, likelihood}}, {.steps = run.steps, .step_rule = &rule});
  return particles;
}

TEST(Central, TwonormReaches96Point5Percent) {
  double mean = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Prepared data = prepare_twonorm(seed);
    const LogisticRegression model(data.features(), {.prior_scale = 100});
    const Particles particles = central_svgd(model, data.all(), {.batch = 10, .seed = seed});
    mean += data.accuracy_of(model, particles) / 5;
  }
  RecordProperty("accuracy", std::to_string(mean));
  EXPECT_GE(mean, 0.965);
}

TEST(Central, CovertypeReaches71Percent) {
  FEDSTEIN_NEEDS_DATA();
  const Prepared data = prepare("covertype", 1);
  const LogisticRegression model(data.features(), {.prior_scale = 0.01});
  const double found = data.accuracy_of(model, central_svgd(model, data.all(), {}));
  RecordProperty("accuracy", std::to_string(found));
  EXPECT_GE(found, 0.71);
}

TEST(Central, Kin8nmReachesRmse0Point11) {
  FEDSTEIN_NEEDS_DATA();
  const Prepared data = prepare("kin8nm", 1);
  const BnnRegression model({.inputs = data.features(), .hidden = 50});
  const SvgdRun run{.particles = 20, .steps = 4000, .step = {.learning_rate = 0.001, .epsilon = 1e-6}};
  const Particles particles = central_svgd(model, data.all(), run);
  const Vector predicted = model.predict(particles, data.test().x).mean.cast<Real>();
  const double found = data.scaling().unscaled_deviation(rmse(predicted, data.test().y));
  RecordProperty("rmse", std::to_string(found));
  EXPECT_LT(found, 0.11);
}

TEST(Central, MnistReaches92Percent) {
  FEDSTEIN_NEEDS_DATA();
  const Prepared data = prepare("mnist", 1);
  const BnnClassification model({.inputs = 784, .hidden = 100, .classes = 10});
  const SvgdRun run{.particles = 5, .steps = 1000, .step = {.learning_rate = 0.001, .epsilon = 1e-6}};
  const double found = data.accuracy_of(model, central_svgd(model, data.all(), run));
  RecordProperty("accuracy", std::to_string(found));
  EXPECT_GE(found, 0.92);
}

}  // namespace
}  // namespace fedstein
