// SPDX-License-Identifier: Apache-2.0
// Agents of a networked federation see the noise that `fedstein run` adds for them, to the bit.
#include <gmock/gmock.h>

#include "fedstein/config/parse.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/serving/agent_work.h"
#include "support/close.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

std::string document_of(const std::string& dataset, const std::string& lines) {
  return "[experiment]\nname = \"noisy\"\ndataset = \"" + dataset + "\"\nagents = 2\ntrials = 1\nscaling = \"none\"\n" +
         lines + "[[algorithm]]\ntype = \"dsvgd\"\nlocal_steps = 3\n[server]\nfeatures = 20\n";
}

FederationPlan federation_of(const std::string& dataset, const std::string& lines) {
  return parse_federation(document_of(dataset, lines), "noisy.toml", {});
}

TrialData trial_of(const FederationPlan& federation) {
  const CasePlan& plan = federation.setting();
  return prepare_trial(plan, load_planned(plan.dataset, "", federation.seed), federation.seed);
}

// What the second agent makes of a task, and how it judges what it was sent.
struct Answer {
  Particles learned;
  std::map<std::string, double> judged;
};

Answer answer(AgentData data, const FederationPlan& federation) {
  const RowShape shape = row_shape(federation);
  AgentWork work(std::move(data), {});
  const AgentFacts facts =
      work.prepare({.agent = 1, .agents = 2, .document = federation.charter(shape.features, shape.classes)});
  const auto side = work.make_side({.agents = 2, .total_rows = 2000});
  const Index particles = federation.algorithm().settings.integer("particles");
  const Task task{
      .round = 1, .agent = 1, .version = 0, .belief = {random_matrix(particles, facts.dimension, 6)}, .verdict = {}};
  work.evaluate(0, task.belief.front());
  return {side->update(task).belief.front(), work.figures()};
}

OwnRows second_shard(const TrialData& trial) {
  const Batch mine = trial.shards().at(1);
  return {mine.x, mine.y};
}

TEST(ServedFeatureNoise, SimulatedAndOwnRowsAreThoseOfTheSimulator) {
  const std::string noise = "feature_noise = 0.5\n";
  const TrialData clean = trial_of(federation_of("feature-skew", ""));
  const TrialData noisy = trial_of(federation_of("feature-skew", noise));
  // What the simulator's agent learns: rows that are noisy already, given to one that adds nothing.
  const Particles expected = answer({.rows = second_shard(noisy)}, federation_of("rows.csv", "")).learned;
  EXPECT_TRUE(identical(answer({.simulate = true}, federation_of("feature-skew", noise)).learned, expected));
  EXPECT_TRUE(identical(answer({.rows = second_shard(clean)}, federation_of("rows.csv", noise)).learned, expected));
  EXPECT_FALSE(identical(answer({.rows = second_shard(clean)}, federation_of("rows.csv", "")).learned, expected));
}

TEST(ServedFeatureNoise, WhatAnAgentKeepsBackIsAsNoisyAsInTheSimulator) {
  const std::string kept = "feature_noise = 0.5\n[federation]\nvalidation = 0.5\n";
  const TrialData clean = trial_of(federation_of("feature-skew", ""));
  const TrialData noisy = trial_of(federation_of("feature-skew", kept));
  ASSERT_EQ(noisy.validation_x.rows(), 1000);
  const OwnRows judged{noisy.validation_x.bottomRows(500), noisy.validation_y.bottomRows(500)};
  const Answer expected = answer({.rows = second_shard(noisy), .test_rows = judged}, federation_of("rows.csv", ""));
  const Answer got = answer({.rows = second_shard(clean)}, federation_of("rows.csv", kept));
  EXPECT_TRUE(identical(got.learned, expected.learned));
  EXPECT_TRUE(got.judged.contains("log_likelihood"));
  EXPECT_EQ(got.judged, expected.judged);
}

}  // namespace
}  // namespace fedstein
