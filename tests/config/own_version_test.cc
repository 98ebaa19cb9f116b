// SPDX-License-Identifier: Apache-2.0
// The paper's experiments as fedstein itself would run them.
#include "fedstein/config/own_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "fedstein/config/own_names.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kDsvgd = "[[algorithm]]\ntype = \"dsvgd\"\n";
const std::string kVariant = "[[algorithm]]\ntype = \"dsvgd\"\nlabel = \"dsvgd, N = 2\"\nparticles = 2\n";
const std::string kFedavg = "[[algorithm]]\ntype = \"fedavg\"\nlabel = \"fedavg released\"\nweighting = \"released\"\n";

ParseOptions own() {
  ParseOptions options = without_data();
  options.own_version = true;
  return options;
}

std::vector<std::string> labels(const CasePlan& plan) {
  std::vector<std::string> out;
  for (const AlgorithmPlan& each : plan.algorithms) out.push_back(each.label);
  return out;
}

TEST(OwnVersion, HasOursInThePlaceOfThePapersMethodsAndTheRivalsAsTheyAre) {
  const Plan plan =
      parsed(paper_experiment("covertype",
                              "[hyperparameters]\nparticles = 6\nlocal_steps = 200\n" + kFedavg + kDsvgd + kVariant +
                                  "[[algorithm]]\ntype = \"u-dsvgd\"\n[[algorithm]]\ntype = \"p-dsvgd\"\n"),
             own());
  const CasePlan& only = plan.cases.front();
  EXPECT_THAT(labels(only), ElementsAre("fedavg released", "c-dsvgd"));
  const AlgorithmPlan& ours = method(only, "c-dsvgd");
  EXPECT_EQ(ours.settings, Settings(ours.method->settings)) << "nothing but its own defaults";
  EXPECT_EQ(ours.scheduler.kind, "all");
  EXPECT_EQ(method(only, "fedavg released").settings.text("weighting"), "released");
  EXPECT_EQ(only.model.settings.text("prior"), "normal");
  EXPECT_FALSE(only.dataset.standard_scaling);
}

// The paper's number of trials and rounds are what its preset means by silence.
TEST(OwnVersion, KeepsRoundsAndTrials) {
  const Plan silent = parsed(paper_experiment("covertype", kDsvgd), own());
  EXPECT_EQ(silent.trials, 10);
  EXPECT_EQ(silent.cases.front().algorithms.front().rounds, 10);
  const Plan said = parsed(paper_experiment("covertype", "trials = 3\n[federation]\nrounds = 7\n" + kDsvgd), own());
  EXPECT_EQ(said.trials, 3);
  EXPECT_EQ(said.cases.front().algorithms.front().rounds, 7);
}

TEST(OwnVersion, KeepsWhatIsSweptAndWhatCasesSay) {
  const Plan plan = parsed(
      paper_experiment("covertype",
                       "[hyperparameters]\nlocal_steps = 200\n" + kDsvgd +
                           "[[case]]\nname = \"swept\"\nsweep.hyperparameters.particles = [2, 4]\n"
                           "[[case]]\nname = \"said\"\nhyperparameters.particles = 5\nmodel.prior_scale = 100\n"),
      own());
  ASSERT_EQ(plan.cases.size(), 3U);
  const Index expected[] = {2, 4, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(method(plan.cases[i], "c-dsvgd").settings.integer("particles"), expected[i]);
    EXPECT_EQ(method(plan.cases[i], "c-dsvgd").settings.integer("local_steps"), 20);
  }
  EXPECT_EQ(plan.cases[2].model.settings, plan.cases[0].model.settings) << "the scale was that of the paper's prior";
}

TEST(OwnVersion, ForgetsWhatIsSaidOfMethodsThatWent) {
  const std::string quick = "[quick]\nexperiment.trials = 1\n\"algorithm.dsvgd, N = 2.rounds\" = 3\n";
  ParseOptions options = own();
  options.quick = true;
  EXPECT_EQ(parsed(paper_experiment("covertype", kDsvgd + kVariant + quick), options).trials, 1);
}

// A density of eight particles is no picture of anything.
TEST(OwnVersion, OfAToyKeepsItsPriorAndTheParticlesItIsDrawnWith) {
  const Plan plan = parsed(
      "[experiment]\nname = \"toy\"\npreset = \"paper\"\n[model]\ntype = \"gaussian-mixture-1d\"\nprior = \"normal\"\n"
      "[hyperparameters]\nparticles = 200\nlocal_steps = 200\n" +
          kDsvgd,
      own());
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(only.model.settings.text("prior"), "normal");
  EXPECT_EQ(method(only, "c-dsvgd").settings.integer("particles"), 200);
  EXPECT_EQ(method(only, "c-dsvgd").settings.integer("local_steps"), 20);
}

TEST(OwnVersion, LeavesAListedCDsvgdAsItIs) {
  const std::string listed = "[[algorithm]]\ntype = \"c-dsvgd\"\nparticles = 3\n";
  const Plan plan = parsed(paper_experiment("covertype", kDsvgd + listed), own());
  EXPECT_THAT(labels(plan.cases.front()), ElementsAre("c-dsvgd"));
  EXPECT_EQ(method(plan.cases.front(), "c-dsvgd").settings.integer("particles"), 3);
}

TEST(OwnVersion, NeedsAMethodToReplace) {
  EXPECT_THAT(complaints(paper_experiment("covertype", kFedavg), own()),
              HasSubstr("lists none of dsvgd, u-dsvgd, p-dsvgd and c-dsvgd"));
}

// Stored runs are read again from their document, without the option.
TEST(OwnVersion, IsWhatItsDocumentSays) {
  const Plan plan = parsed(paper_experiment("covertype", kDsvgd), own());
  EXPECT_EQ(plan.name, "test-own");
  EXPECT_EQ(to_json(parsed(plan.document)), to_json(plan));
}

TEST(OwnVersion, HasANameThatLeadsBack) {
  EXPECT_EQ(own_version_of("toy-2d"), "toy-2d-own");
  EXPECT_TRUE(is_own_version("toy-2d-own"));
  EXPECT_FALSE(is_own_version("toy-2d"));
  EXPECT_EQ(original_of("toy-2d-own"), "toy-2d");
  EXPECT_EQ(original_of("toy-2d"), "toy-2d");
}

}  // namespace
}  // namespace fedstein
