// SPDX-License-Identifier: Apache-2.0
// Against a posterior that is known in closed form: every method's mean and variance.
#include <gtest/gtest.h>

#include "fedstein/methods/registry.h"
#include "fedstein/model/conjugate_gaussian.h"
#include "methods/toy_federation.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

struct Moments {
  double mean;
  double variance;
};

Moments moments_of(const Particles& particles) {
  const DoubleVector values = particles.col(0).cast<double>();
  return {values.mean(), (values.array() - values.mean()).square().mean()};
}

class Conjugate : public testing::TestWithParam<std::string> {
 protected:
  // Four observations of noise 4 and a prior of variance 1.5: a posterior wide enough (0.6) for a KDE of bandwidth
  // 0.55.
  Conjugate()
      : model_({DoubleVector::Constant(1, 1), DoubleMatrix::Constant(1, 1, 1.5)}, DoubleMatrix::Constant(1, 1, 4)) {
    x_ << -1, 3, 0.5_r, 2;
  }

  Moments run(const Algorithm& algorithm, Settings& settings) {
    settings.set("particles", Index{100});
    const Batch all{x_, y_};
    std::vector<Batch> shards;
    if (algorithm.centralised) {
      shards.push_back(all);
    } else {
      for (const Index half : {0, 1}) shards.push_back(all.middle_rows(2 * half, 2));
    }
    Federation federation(algorithm, settings, model_, shards, {.seed = 3});
    InProcessTransport transport(federation.agent_pointers());
    Recorder recorder;
    const RoundRobin in_turn(federation.agents());
    const ListedSchedule together({{0, 1}});
    const Scheduler& scheduler = algorithm.parallel ? static_cast<const Scheduler&>(together) : in_turn;
    coordinate(federation.server(), scheduler, transport, recorder, {.rounds = 16});
    return moments_of(recorder.particles.back());
  }

  ConjugateGaussian model_;
  Matrix x_ = Matrix(4, 1);
  Vector y_ = Vector::Zero(4);
};

TEST_P(Conjugate, MeanAndVarianceOfThePosterior) {
  const Algorithm& algorithm = algorithm_named(GetParam());
  for (const double alpha : {1.0, 2.0}) {
    Settings settings(algorithm.settings);
    settings.set("temperature", alpha);
    const Gaussian posterior = model_.posterior(x_, alpha);
    const Moments found = run(algorithm, settings);
    EXPECT_NEAR(found.mean, posterior.mean(0), 0.12) << "temperature " << alpha;
    // The federated methods see q through its KDE, which adds lambda^2 = 0.3 to a variance and takes it away
    // imperfectly.
    const double tolerance = algorithm.centralised ? 0.1 : 0.3;
    EXPECT_NEAR(found.variance / posterior.covariance(0, 0), 1, tolerance) << "temperature " << alpha;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         Conjugate,
                         testing::Values("svgd", "dsvgd", "u-dsvgd", "p-dsvgd", "sdsvgd"),
                         [](const auto& variant) {
                           std::string name = variant.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace fedstein
