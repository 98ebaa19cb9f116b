// SPDX-License-Identifier: Apache-2.0
// Rows drawn from the models that are linear in their weights: a federation that starts near 0 finds the coefficients
// that made them.
#include <gtest/gtest.h>

#include <cmath>

#include "fedstein/methods/registry.h"
#include "fedstein/model/linear_regression.h"
#include "fedstein/model/negative_binomial_regression.h"
#include "fedstein/model/poisson_regression.h"
#include "methods/toy_federation.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

constexpr Index kRecoveryRows = 1200;
constexpr double kWeights[] = {0.6, -0.4, 0.0};
constexpr double kIntercept = 1.5;

struct Drawn {
  Matrix x = random_matrix(kRecoveryRows, 3, 1);
  Vector y = Vector(kRecoveryRows);
  std::vector<Batch> shards() const {
    std::vector<Batch> out;
    for (Index k = 0; k < 4; ++k) out.push_back(Batch{x, y}.middle_rows(300 * k, 300));
    return out;
  }
};

// draw(f, rng): a label where w.x + b is f.
template <typename Draw>
Drawn drawn(const Draw& draw) {
  Drawn out;
  Rng rng({.seed = 2, .purpose = Purpose::kTest});
  for (Index i = 0; i < kRecoveryRows; ++i) {
    double f = kIntercept;
    for (Index k = 0; k < 3; ++k) f += kWeights[k] * double{out.x(i, k)};
    out.y(i) = static_cast<Real>(draw(f, rng));
  }
  return out;
}

// The number of arrivals in a unit of time.
double poisson(double rate, Rng& rng) {
  double count = -1;
  for (double time = 0; time < rate; ++count) time -= std::log(rng.uniform());
  return count;
}

// Means of the particles after training, coordinate by coordinate.
DoubleVector trained(const Model& model, const Drawn& rows, const std::string& name) {
  const Algorithm& algorithm = algorithm_named(name);
  Settings settings(algorithm.settings);
  settings.set("particles", Index{10});
  if (settings.has("start") && name != "c-dsvgd") settings.set("start", std::string("near-zero"));
  const std::vector<Batch> shards = algorithm.centralised ? std::vector<Batch>{{rows.x, rows.y}} : rows.shards();
  Federation federation(algorithm, settings, model, shards, {.seed = 3});
  InProcessTransport transport(federation.agent_pointers());
  Recorder recorder;
  const auto agents = static_cast<Index>(shards.size());
  std::vector<Index> everyone(static_cast<std::size_t>(agents));
  for (Index k = 0; k < agents; ++k) everyone[static_cast<std::size_t>(k)] = k;
  coordinate(federation.server(), ListedSchedule({everyone}), transport, recorder, {.rounds = 40});
  for (const RoundRecord& record : recorder.records) {
    for (const Failure& failure : record.failures) ADD_FAILURE() << failure.agent << " " << failure.reason;
  }
  return federation.server().particles().cast<double>().colwise().mean().transpose();
}

class Recovery : public testing::TestWithParam<std::string> {
 protected:
  // Four posterior deviations of the widest, and what ten particles leave.
  static void expect_coefficients(const DoubleVector& found) {
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(found(k), kWeights[k], 0.15) << "weight " << k;
    EXPECT_NEAR(found(3), kIntercept, 0.15);
  }
};

TEST_P(Recovery, OfLinearRegression) {
  const LinearRegression model({.weights = {.inputs = 3}});
  const Drawn rows = drawn([](double f, Rng& rng) { return f + 0.5 * rng.normal(); });
  const DoubleVector found = trained(model, rows, GetParam());
  expect_coefficients(found);
  EXPECT_NEAR(std::exp(-0.5 * found(4)), 0.5, 0.06);
}

TEST_P(Recovery, OfPoissonRegression) {
  const PoissonRegression model({.inputs = 3});
  expect_coefficients(trained(model, drawn([](double f, Rng& rng) { return poisson(std::exp(f), rng); }), GetParam()));
}

TEST_P(Recovery, OfNegativeBinomialRegression) {
  const NegativeBinomialRegression model({.weights = {.inputs = 3}});
  const Drawn rows = drawn([](double f, Rng& rng) { return poisson(std::exp(f) * rng.gamma(2, 0.5), rng); });
  const DoubleVector found = trained(model, rows, GetParam());
  expect_coefficients(found);
  EXPECT_NEAR(std::exp(found(4)), 0.5, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Methods, Recovery, testing::Values("c-dsvgd", "svgd"), [](const auto& method) {
  return method.param == "svgd" ? "svgd" : "c_dsvgd";
});

}  // namespace
}  // namespace fedstein
