// SPDX-License-Identifier: Apache-2.0
// Agents of a networked federation keep back the rows that `fedstein run` keeps back for them.
#include <gmock/gmock.h>

#include "fedstein/config/parse.h"
#include "fedstein/data/split.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/serving/agent_work.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::string validated(const std::string& dataset, const std::string& federation) {
  return "[experiment]\nname = \"kept\"\ndataset = \"" + dataset +
         "\"\nagents = 2\ntrials = 1\nscaling = \"none\"\n[federation]\n" + federation +
         "[[algorithm]]\ntype = \"dsvgd\"\nlocal_steps = 3\n[server]\nfeatures = " +
         (dataset == "feature-skew" ? "20" : "2") + "\n";
}

Charter charter_of(const FederationPlan& federation, Index agent) {
  const RowShape shape = row_shape(federation);
  return {.agent = agent, .agents = 2, .document = federation.charter(shape.features, shape.classes)};
}

TEST(ServedValidation, APlateauIsRefusedInASentence) {
  EXPECT_THROW_MESSAGE(
      parse_federation(validated("rows.csv", "validation = 0.1\nstop = \"plateau\"\n"), "kept.toml", {}),
      BadConfiguration,
      "federation.stop is plateau, which needs every agent's log-likelihood");
}

TEST(ServedValidation, ASimulatedAgentHasTheRowsOfTheSimulator) {
  const FederationPlan federation = parse_federation(validated("feature-skew", "validation = 0.25\n"), "kept.toml", {});
  const CasePlan& plan = federation.setting();
  const TrialData trial = prepare_trial(plan, load_planned(plan.dataset, "", federation.seed), federation.seed);
  for (const Index agent : {0, 1}) {
    AgentWork work(AgentData{.simulate = true}, {});
    EXPECT_EQ(work.prepare(charter_of(federation, agent)).rows, trial.sizes[static_cast<std::size_t>(agent)]);
  }
  EXPECT_EQ(trial.sizes[0] + trial.sizes[1] + trial.validation_x.rows(), 2000);
}

// What such an agent learns from its rows is what an agent learns that was given the others alone.
TEST(ServedValidation, OwnRowsAreKeptBackAndEvaluated) {
  const FederationPlan kept = parse_federation(validated("rows.csv", "validation = 0.1\n"), "kept.toml", {});
  const FederationPlan plain = parse_federation(validated("rows.csv", ""), "kept.toml", {});
  OwnRows rows{random_matrix(120, 2, 5), Vector(120)};
  for (Index i = 0; i < 120; ++i) rows.y(i) = rows.x(i, 0) > 0 ? 1 : -1;
  const Split split = keep_back(120, 0.1, kept.seed, 1);
  ASSERT_EQ(split.test.size(), 12U);
  const OwnRows learned{rows.x(split.train, Eigen::all), rows.y(split.train)};

  AgentWork keeps(AgentData{.rows = rows}, {});
  AgentWork given(AgentData{.rows = learned}, {});
  EXPECT_EQ(keeps.prepare(charter_of(kept, 1)).rows, 108);
  EXPECT_EQ(given.prepare(charter_of(plain, 1)).rows, 108);
  const Beginning beginning{.agents = 2, .total_rows = 300};
  const auto one = keeps.make_side(beginning);
  const auto other = given.make_side(beginning);
  const Index dimension = kept.make_model(2, 2)->dimension();
  const Index particles = kept.algorithm().settings.integer("particles");
  const Task task{
      .round = 1, .agent = 1, .version = 0, .belief = {random_matrix(particles, dimension, 6)}, .verdict = {}};
  const auto evaluated = keeps.evaluate(1, task.belief.front());
  ASSERT_TRUE(evaluated.has_value());
  EXPECT_EQ(evaluated->sums.rows, 12);
  EXPECT_FALSE(given.evaluate(1, task.belief.front()).has_value());
  EXPECT_TRUE(identical(one->update(task).belief.front(), other->update(task).belief.front()));
}

}  // namespace
}  // namespace fedstein
