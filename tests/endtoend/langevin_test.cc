// SPDX-License-Identifier: Apache-2.0
// The Langevin samplers on Twonorm, K = 20, N = 6, 100 rounds of 200 steps, with fixed seeds.
#include "endtoend/prepared.h"
#include "fedstein/algorithm/federation.h"
#include "fedstein/model/logistic_regression.h"

namespace fedstein {
namespace {

struct Figures {
  double accuracy;
  double log_likelihood;
};

class Langevin : public testing::Test {
 protected:
  // After the last of 100 rounds.
  Figures run(const std::string& name) {
    const Algorithm& algorithm = algorithm_named(name);
    Settings settings(algorithm.settings);
    settings.set("batch", Index{10});
    const std::vector<Batch> shards = algorithm.centralised ? std::vector<Batch>{data_.all()} : data_.shards();
    LocalFederation federation(algorithm, settings, model_, shards, 1);
    InProcessTransport transport(federation.agent_pointers());
    class Silent : public Observer {
      Next on_round(RoundRecord& record, const Particles& /*particles*/) override {
        EXPECT_TRUE(record.failures.empty());
        return Next::kContinue;
      }
    } silent;
    coordinate(federation.server(), RoundRobin(federation.agents()), transport, silent, {.rounds = 100});
    const Particles particles = federation.server().particles();
    const Figures figures{data_.accuracy_of(model_, particles), data_.log_likelihood_of(model_, particles)};
    RecordProperty(name + "_accuracy", std::to_string(figures.accuracy));
    RecordProperty(name + "_log_likelihood", std::to_string(figures.log_likelihood));
    return figures;
  }

  Prepared data_ = prepare_twonorm(1, {.agents = 20, .seed = 1});
  LogisticRegression model_{data_.features(), {.prior_scale = 100}};
};

TEST_F(Langevin, SgldEndsWithinAPointOfSvgd) {
  EXPECT_GE(run("sgld").accuracy, run("svgd").accuracy - 0.01);
}

// Each chain has about 17 turns of 200 steps at some shard of 296 rows.
TEST_F(Langevin, DsgldAndFsgldLearn) {
  EXPECT_GE(run("dsgld").accuracy, 0.96);
  EXPECT_GE(run("fsgld").accuracy, 0.96);
}

}  // namespace
}  // namespace fedstein
