// SPDX-License-Identifier: Apache-2.0
// A networked federation whose model and method are somebody's own: server and agents are given the same registry.
#include <gtest/gtest.h>

#include "experiment/own_types.h"
#include "fedstein/data/error.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/federated/coordinator.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/posterior/predictor.h"
#include "fedstein/serving/agent_work.h"
#include "fedstein/serving/federation_server.h"
#include "fedstein/serving/served_posterior.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::string document(const std::string& folder) {
  return R"(
[experiment]
name = "own"
preset = "paper"
dataset = "feature-skew"
agents = 2
trials = 1
[model]
type = "flat-logistic"
[[algorithm]]
type = "gradient"
[server]
state = ")" +
         folder + "\"\n";
}

class Silent : public Observer {
  Next on_round(RoundRecord& record, const Particles&) override {
    EXPECT_EQ(record.folded.size(), 2U);
    return Next::kContinue;
  }
};

TEST(OwnTypesServed, FromTheCharterToThePosterior) {
  const TemporaryFolder folder;
  const Registry registry = own_registry();
  FederationServer server(parse_federation(document(folder.path("state")), "own.toml", "", registry), {});
  const FederationPlan& federation = server.federation();
  const RowShape shape = row_shape(federation);

  std::vector<Index> rows;
  std::vector<std::unique_ptr<AgentWork>> works;
  for (const Index agent : {0, 1}) {
    works.push_back(std::make_unique<AgentWork>(AgentData{.simulate = true, .registry = &registry}, AgentWork::Tell{}));
    const Charter charter{.agent = agent, .agents = 2, .document = federation.charter(shape.features, shape.classes)};
    const AgentFacts facts = works.back()->prepare(charter);
    EXPECT_EQ(facts.algorithm, "gradient");
    rows.push_back(facts.rows);
    AgentWork stranger(AgentData{.simulate = true}, AgentWork::Tell{});
    EXPECT_THROW_MESSAGE(stranger.prepare(charter), BadConfiguration, "algorithm.type is 'gradient'");
  }
  std::vector<std::unique_ptr<AgentSide>> sides;
  std::vector<AgentSide*> pointers;
  for (const auto& work : works) {
    sides.push_back(work->make_side({.agents = 2, .total_rows = rows[0] + rows[1]}));
    pointers.push_back(sides.back().get());
  }
  const auto model = federation.make_model(shape.features, shape.classes);
  const auto side = federation.algorithm().method->make_server(
      {.model = model.get(), .rows = rows, .seed = federation.seed}, federation.algorithm().settings);
  InProcessTransport transport(pointers);
  Silent silent;
  coordinate(*side, RandomFraction(2, 1, 1), transport, silent, {.rounds = 10});

  const std::string said =
      save_served_posterior({.federation = &federation, .shape = shape, .rows = rows}, side->particles());
  ASSERT_EQ(said.rfind("posterior: ", 0), 0U) << said;
  const std::string path = said.substr(std::string("posterior: ").size());
  const Predictor predictor(load_posterior(path, registry), registry);
  EXPECT_EQ(predictor.posterior().facts.method, "gradient");
  EXPECT_TRUE(predictor.predict(Matrix::Ones(3, shape.features)).probabilities.allFinite());
  EXPECT_THROW_MESSAGE(load_posterior(path), DataError, "there is no model type 'flat-logistic'");
}

TEST(OwnTypesServed, AreRefusedWithoutTheirRegistry) {
  EXPECT_THROW_MESSAGE(
      parse_federation(document("state"), "own.toml", ""), BadConfiguration, "model.type is 'flat-logistic'");
}

}  // namespace
}  // namespace fedstein
