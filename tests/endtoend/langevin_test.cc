// SPDX-License-Identifier: Apache-2.0
// The Langevin samplers from data to test figure, with fixed seeds.
#include "endtoend/prepared.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/logistic_regression.h"

namespace fedstein {
namespace {

struct Figures {
  double accuracy;
  double log_likelihood;
};

// After the last round, at the defaults but for the batch.
Figures run(const std::string& name, const Model& model, const Prepared& data, Index batch, Index rounds) {
  const Algorithm& algorithm = algorithm_named(name);
  Settings settings(algorithm.settings);
  settings.set("batch", batch);
  const std::vector<Batch> shards = algorithm.centralised ? std::vector<Batch>{data.all()} : data.shards();
  Federation federation(algorithm, settings, model, shards, {.seed = 1});
  InProcessTransport transport(federation.agent_pointers());
  class Silent : public Observer {
    Next on_round(RoundRecord& record, const Particles& /*particles*/) override {
      EXPECT_TRUE(record.failures.empty());
      return Next::kContinue;
    }
  } silent;
  coordinate(federation.server(), RoundRobin(federation.agents()), transport, silent, {.rounds = rounds});
  const Particles particles = federation.server().particles();
  return {data.accuracy_of(model, particles), data.log_likelihood_of(model, particles)};
}

// Twonorm, K = 20, N = 6, 100 rounds of 200 steps.
class LangevinOnTwonorm : public testing::Test {
 protected:
  double accuracy_of(const std::string& name) {
    const Figures figures = run(name, model_, data_, 10, 100);
    RecordProperty(name + "_accuracy", std::to_string(figures.accuracy));
    RecordProperty(name + "_log_likelihood", std::to_string(figures.log_likelihood));
    return figures.accuracy;
  }

  Prepared data_ = prepare_twonorm(1, {.agents = 20, .seed = 1});
  LogisticRegression model_{data_.features(), {.prior_scale = 100}};
};

TEST_F(LangevinOnTwonorm, SgldEndsWithinAPointOfSvgd) {
  EXPECT_GE(accuracy_of("sgld"), accuracy_of("svgd") - 0.01);
}

// Each chain has about 17 turns of 200 steps at some shard of 296 rows.
TEST_F(LangevinOnTwonorm, DsgldAndFsgldLearn) {
  EXPECT_GE(accuracy_of("dsgld"), 0.96);
  EXPECT_GE(accuracy_of("fsgld"), 0.96);
}

// Each of ten agents sees 2 of 20 features: what conducive gradients are for.
TEST(LangevinOnFeatureSkew, FsgldForgetsLessThanDsgld) {
  constexpr int kSeeds = 3;
  double dsgld = 0;
  double fsgld = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Prepared data = prepare("feature-skew", seed, {.kind = PartitionKind::kByGroup, .agents = 10});
    const LogisticRegression model(data.features(), {.prior_scale = 100});
    dsgld += run("dsgld", model, data, 100, 60).log_likelihood / kSeeds;
    fsgld += run("fsgld", model, data, 100, 60).log_likelihood / kSeeds;
  }
  RecordProperty("dsgld_log_likelihood", std::to_string(dsgld));
  RecordProperty("fsgld_log_likelihood", std::to_string(fsgld));
  EXPECT_GT(fsgld, dsgld + 0.05);
}

}  // namespace
}  // namespace fedstein
