// SPDX-License-Identifier: Apache-2.0
// Fedstein's own defaults: what a file means that says as little as it can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "fedstein/data/registry.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

const std::string kOthers =
    "[[algorithm]]\ntype = \"dsvgd\"\n[[algorithm]]\ntype = \"p-dsvgd\"\n[[algorithm]]\ntype = \"fedavg\"\n"
    "[[algorithm]]\ntype = \"svgd\"\n[[algorithm]]\ntype = \"sgld\"\n";

TEST(Defaults, ThreeKeysAreAWholeFile) {
  const Plan plan = parsed("[experiment]\nname = \"test\"\ndataset = \"covertype\"\nagents = 5\n");
  EXPECT_EQ(plan.trials, 1);
  ASSERT_EQ(plan.cases.size(), 1U);
  const CasePlan& only = plan.cases.front();
  EXPECT_FALSE(only.dataset.standard_scaling);
  EXPECT_EQ(only.dataset.scaling, ScalingRule::kStandardise);
  EXPECT_EQ(only.model.settings.text("prior"), "normal");
  EXPECT_EQ(only.model.settings.number("prior_deviation"), 0);
  EXPECT_TRUE(only.model.settings.flag("intercept"));
  ASSERT_EQ(only.algorithms.size(), 1U);
  const AlgorithmPlan& method = only.algorithms.front();
  EXPECT_EQ(method.label, "c-dsvgd");
  EXPECT_EQ(method.rounds, 100);
  EXPECT_EQ(method.scheduler.kind, "all");
  EXPECT_EQ(method.settings, Settings(method.method->settings)) << "its own defaults are its own affair";
  EXPECT_THAT(plan.document, HasSubstr("preset = \"fedstein\""));
  EXPECT_THAT(plan.document, HasSubstr("type = \"c-dsvgd\""));
}

TEST(Defaults, SettingsOfTheUsualMethodCanBeGivenWithoutListingIt) {
  ParseOptions options = without_data();
  options.overrides = {"algorithm.c-dsvgd.rounds=7"};
  const Plan plan = parsed(experiment("heart", "[hyperparameters]\nlocal_steps = 3\n"), options);
  EXPECT_EQ(plan.cases.front().algorithms.front().rounds, 7);
  EXPECT_EQ(plan.cases.front().algorithms.front().settings.integer("local_steps"), 3);
}

TEST(Defaults, EveryNamedDatasetIsReadyForTheUsualMethod) {
  for (const DatasetInfo& info : known_datasets()) {
    EXPECT_EQ(complaints(experiment(info.name)), "") << info.name;
    const DatasetPlan data = parsed(experiment(info.name)).cases.front().dataset;
    const bool images = info.name == "mnist" || info.name == "fashion-mnist";
    EXPECT_EQ(data.scaling, images ? ScalingRule::kPixel : ScalingRule::kStandardise) << info.name;
  }
}

TEST(Defaults, FilesOfOnesOwnAreStandardisedUnlessTheyAreImages) {
  const auto scaling = [](const std::string& data) {
    return parsed(experiment("./rows.csv", "[data]\n" + data)).cases.front().dataset.scaling;
  };
  EXPECT_EQ(scaling("header = true\n"), ScalingRule::kStandardise);
  EXPECT_EQ(scaling("labels = \"regression\"\n"), ScalingRule::kStandardise);
  EXPECT_EQ(scaling("format = \"libsvm\"\nfeatures = 4\n"), ScalingRule::kStandardise);
  EXPECT_EQ(scaling("format = \"idx\"\nlabel_file = \"labels.idx\"\n"), ScalingRule::kPixel);
  EXPECT_EQ(scaling("format = \"leaf\"\n"), ScalingRule::kNone);
}

TEST(Defaults, MethodsThatTakeSeveralAgentsTakeAll) {
  const Plan plan = parsed(experiment("heart", kOthers));
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(method(only, "dsvgd").scheduler.kind, "round-robin");
  EXPECT_EQ(method(only, "p-dsvgd").scheduler.kind, "all");
  EXPECT_EQ(method(only, "fedavg").scheduler.kind, "all");
}

TEST(Defaults, OtherMethodsKeepTheirOwnValuesButStartNearZero) {
  for (const char* name : {"heart", "covertype"}) {
    const Plan plan = parsed(experiment(name, kOthers));
    for (const AlgorithmPlan& each : plan.cases.front().algorithms) {
      Settings own(each.method->settings);
      if (own.has("start") && own.text("start") == "prior") own.set("start", std::string("near-zero"));
      EXPECT_EQ(each.settings, own) << each.label;
    }
  }
}

TEST(Defaults, NetworksStartAtTheirInitialisationAndStepLess) {
  const Plan plan = parsed(experiment("kin8nm", kOthers));
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(only.model.settings.number("prior_precision"), 0) << "by layers";
  EXPECT_EQ(method(only, "dsvgd").settings.text("start"), "prior");
  EXPECT_EQ(method(only, "dsvgd").settings.number("learning_rate"), 0.001);
  EXPECT_EQ(method(only, "fedavg").settings.number("learning_rate"), 0.001);
}

TEST(Defaults, PointsTakePlainStepsOnClassifiersAndLangevinMethodsShortOnes) {
  const Plan plan = parsed(experiment("mnist", kOthers + "[[algorithm]]\ntype = \"fald\"\n"));
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(method(only, "fedavg").settings.text("step_rule"), "plain");
  EXPECT_EQ(method(only, "fedavg").settings.number("learning_rate"), 0.1);
  EXPECT_EQ(method(only, "dsvgd").settings.text("step_rule"), "adagrad");
  EXPECT_EQ(method(only, "fald").settings.number("a0"), 1e-4);
}

TEST(Defaults, ToysStartFromTheirPrior) {
  const Plan plan = parsed("[experiment]\nname = \"toy\"\n[model]\ntype = \"gaussian-mixture-1d\"\n" + kOthers);
  EXPECT_EQ(method(plan.cases.front(), "dsvgd").settings.text("start"), "prior");
}

TEST(Defaults, APriorsKeysAreForThatPrior) {
  EXPECT_THAT(complaints(experiment("heart", "[model]\nprior_scale = 100\n")),
              HasSubstr("test.toml:6: model.prior_scale has no effect: it is for prior = \"gamma\" only"));
  EXPECT_EQ(complaints(experiment("heart", "[model]\nprior = \"gamma\"\nprior_scale = 100\n")), "");
  EXPECT_EQ(complaints(experiment("heart", "[model]\nprior_deviation = 2\n")), "");
  EXPECT_THAT(complaints(paper_experiment("heart", "[model]\nprior_deviation = 2\n")),
              HasSubstr("test.toml:7: model.prior_deviation has no effect: it is for prior = \"normal\" only"));
}

// So that one experiment can hold the paper's settings and ours side by side.
TEST(Defaults, APresetCanBeSwept) {
  const Plan plan = parsed(experiment("heart", "[sweep]\nexperiment.preset = [\"paper\", \"fedstein\"]\n" + kOthers));
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[0].model.settings.text("prior"), "gamma");
  EXPECT_EQ(plan.cases[1].model.settings.text("prior"), "normal");
  EXPECT_EQ(method(plan.cases[0], "fedavg").rounds, 10);
  EXPECT_EQ(method(plan.cases[1], "fedavg").rounds, 100);
  EXPECT_THAT(complaints(experiment("heart", "preset = \"papper\"\n")),
              HasSubstr("experiment.preset is 'papper'; did you mean 'paper'? allowed: one of fedstein, paper"));
}

}  // namespace
}  // namespace fedstein
