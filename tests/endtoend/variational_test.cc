// SPDX-License-Identifier: Apache-2.0
// The variational rivals from data to test figure.
#include <numeric>

#include "endtoend/prepared.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/pvi.h"
#include "fedstein/methods/registry.h"
#include "fedstein/metrics/divergence.h"
#include "fedstein/model/gaussian_mixture.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/stein/kde.h"

namespace fedstein {
namespace {

using Values = std::vector<std::pair<std::string, SettingValue>>;

class LastParticles : public Observer {
 public:
  Next on_round(RoundRecord& record, const Particles& at_end) override {
    EXPECT_TRUE(record.failures.empty());
    particles = at_end;
    return Next::kContinue;
  }
  Particles particles;
};

struct Figures {
  double accuracy;
  double log_likelihood;
};

Figures run(const std::string& name, const Values& values, const Model& model, const Prepared& data, Index rounds) {
  const Algorithm& algorithm = algorithm_named(name);
  Settings settings(algorithm.settings);
  for (const auto& [key, value] : values) settings.set(key, value);
  const std::vector<Batch> shards = algorithm.centralised ? std::vector<Batch>{data.all()} : data.shards();
  Federation federation(algorithm, settings, model, shards, {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  LastParticles last;
  coordinate(federation.server(), RoundRobin(federation.agents()), transport, last, {.rounds = rounds});
  const Figures figures{data.accuracy_of(model, last.particles), data.log_likelihood_of(model, last.particles)};
  testing::Test::RecordProperty(name + "_accuracy", std::to_string(figures.accuracy));
  testing::Test::RecordProperty(name + "_log_likelihood", std::to_string(figures.log_likelihood));
  return figures;
}

class VariationalTwonorm : public testing::TestWithParam<double> {};

TEST_P(VariationalTwonorm, PviOfTwentyAgentsReaches95Percent) {
  const Prepared data = prepare_twonorm(1, {.agents = 20, .seed = 1});
  const LogisticRegression model(data.features(), {.prior_scale = GetParam()});
  const Figures pvi = run("pvi", {}, model, data, 100);
  const Figures gvi = run("gvi", {}, model, data, 10);
  EXPECT_GE(pvi.accuracy, 0.95);
  EXPECT_GE(gvi.accuracy, 0.95);
  // Under the paper's wide prior the first agents' own posteriors are far out, and the factors come back slowly.
  EXPECT_GE(pvi.log_likelihood, GetParam() < 1 ? -0.25 : -0.08);
  EXPECT_GE(gvi.log_likelihood, -0.08);
}

INSTANTIATE_TEST_SUITE_P(PriorScales, VariationalTwonorm, testing::Values(0.01, 100), [](const auto& scale) {
  return scale.param < 1 ? "OfThePaper" : "Wide";
});

// KL(q || q_opt) on the toy after every round: of the KDE of DSVGD's particles, of PVI's and GVI's own Gaussian.
class ToyDivergences : public Observer {
 public:
  ToyDivergences(const GaussianMixture& toy, const ServerSide& server) : toy_(toy), server_(server) {}
  Next on_round(RoundRecord& /*record*/, const Particles& particles) override {
    const Matrix places = grid_points({-7, 7, 2001});
    DoubleVector log_q;
    if (const auto* gaussian = dynamic_cast<const PviServer*>(&server_)) {
      const NaturalGaussian q = gaussian->posterior();
      log_q = -0.5 * q.precision(0, 0) * (places.col(0).cast<double>().array() - q.mean()(0)).square();
    } else {
      log_q = Kde(particles, 0.55).log_density(places);
    }
    values.push_back(kl_on_grid(log_q, toy_.log_posterior(places)).forward);
    return Next::kContinue;
  }
  std::vector<double> values;

 private:
  const GaussianMixture& toy_;
  const ServerSide& server_;
};

double toy_divergence(const std::string& name) {
  const GaussianMixture toy = toy_mixture_1d(ToyPrior::kNormal);
  const Matrix x = toy.factor_rows();
  const Vector y = Vector::Zero(x.rows());
  const Batch all{x, y};
  const Algorithm& algorithm = algorithm_named(name);
  Settings settings(algorithm.settings);
  settings.set("particles", Index{200});
  const std::vector<Batch> shards = algorithm.centralised
                                        ? std::vector<Batch>{all}
                                        : std::vector<Batch>{all.middle_rows(0, 1), all.middle_rows(1, 1)};
  Federation federation(algorithm, settings, toy, shards, {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  ToyDivergences divergences(toy, federation.server());
  coordinate(federation.server(), RoundRobin(federation.agents()), transport, divergences, {.rounds = 20});
  const double end = std::accumulate(divergences.values.end() - 5, divergences.values.end(), 0.0) / 5;
  testing::Test::RecordProperty(name, std::to_string(end));
  return end;
}

TEST(VariationalToy, PviAndGviAgreeAndParticlesComeCloser) {
  const double pvi = toy_divergence("pvi");
  const double gvi = toy_divergence("gvi");
  EXPECT_NEAR(pvi, gvi, 0.05);
  const double dsvgd = toy_divergence("dsvgd");
  EXPECT_LT(dsvgd, pvi);
  EXPECT_LT(dsvgd, gvi);
}

TEST(VariationalCentral, NpvAndPmdLearnTwonorm) {
  const Prepared data = prepare_twonorm(1);
  const LogisticRegression model(data.features(), {.prior_scale = 100});
  EXPECT_GE(run("npv", {}, model, data, 4).accuracy, 0.95);
  EXPECT_GE(run("pmd", {{"particles", Index{100}}}, model, data, 10).accuracy, 0.90);
}

}  // namespace
}  // namespace fedstein
