// SPDX-License-Identifier: Apache-2.0
// The preset "paper": what all defaults were before there were presets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>
#include <set>

#include "config/documents.h"
#include "fedstein/config/definitions.h"
#include "fedstein/config/paper_defaults.h"
#include "fedstein/config/preset.h"
#include "fedstein/data/registry.h"
#include "fedstein/methods/registry.h"
#include "fedstein/registry/registry.h"

namespace fedstein {
namespace {

const std::string kMethods =
    "[[algorithm]]\ntype = \"dsvgd\"\n[[algorithm]]\ntype = \"dsgld\"\n[[algorithm]]\ntype = \"sgld\"\n"
    "[[algorithm]]\ntype = \"fedavg\"\n[[algorithm]]\ntype = \"scaffold\"\n";

TEST(PaperPreset, BinarySetsGetLogisticRegressionAndTheFirstColumnOfThePapersTable) {
  const Plan plan = parsed(paper_experiment("covertype", kMethods));
  ASSERT_EQ(plan.cases.size(), 1U);
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(plan.trials, 10);
  EXPECT_EQ(plan.seed, 1U);
  EXPECT_EQ(only.name, "covertype");
  EXPECT_EQ(only.model.type, "logistic-regression");
  EXPECT_EQ(only.model.settings.text("prior"), "gamma");
  EXPECT_EQ(only.model.settings.number("prior_shape"), 1);
  EXPECT_EQ(only.model.settings.number("prior_scale"), 0.01);
  EXPECT_FALSE(only.model.settings.flag("intercept"));
  EXPECT_TRUE(only.dataset.standard_scaling);
  EXPECT_EQ(only.dataset.scaling, ScalingRule::kUnitInterval);
  const Settings& dsvgd = method(only, "dsvgd").settings;
  EXPECT_EQ(dsvgd.number("learning_rate"), 0.05);
  EXPECT_EQ(dsvgd.number("epsilon"), 1e-9);
  EXPECT_EQ(dsvgd.number("kde_bandwidth"), 0.55);
  EXPECT_EQ(dsvgd.integer("particles"), 6);
  EXPECT_EQ(dsvgd.integer("batch"), 100);
  EXPECT_EQ(dsvgd.integer("local_steps"), 200);
  EXPECT_EQ(dsvgd.text("start"), "prior");
  EXPECT_EQ(method(only, "dsgld").settings.number("a0"), 0.01);
  EXPECT_EQ(method(only, "fedavg").rounds, 10);
  EXPECT_EQ(method(only, "fedavg").scheduler.kind, "round-robin");
}

TEST(PaperPreset, SmallBinarySetsGetSmallBatches) {
  const Plan plan = parsed(paper_experiment("twonorm", kMethods));
  EXPECT_EQ(method(plan.cases.front(), "dsvgd").settings.integer("batch"), 10);
}

TEST(PaperPreset, NetworksGetTheOtherColumn) {
  const Plan year = parsed(paper_experiment("year", kMethods));
  EXPECT_EQ(year.cases.front().model.type, "bnn-regression");
  EXPECT_EQ(year.cases.front().model.settings.integer("hidden"), 100);
  EXPECT_EQ(year.cases.front().model.settings.number("prior_precision"), std::numbers::e);
  const Settings& dsvgd = method(year.cases.front(), "dsvgd").settings;
  EXPECT_EQ(dsvgd.number("learning_rate"), 0.001);
  EXPECT_EQ(dsvgd.number("epsilon"), 1e-6);
  EXPECT_EQ(dsvgd.integer("particles"), 20);
  EXPECT_EQ(dsvgd.integer("batch"), 1000);
  EXPECT_EQ(method(year.cases.front(), "dsgld").settings.number("a0"), 0.0005);
  EXPECT_EQ(method(year.cases.front(), "sgld").settings.number("a0"), 0.01);

  const Plan kin8nm = parsed(paper_experiment("kin8nm", kMethods));
  EXPECT_EQ(kin8nm.cases.front().model.settings.integer("hidden"), 50);
  EXPECT_EQ(method(kin8nm.cases.front(), "dsgld").settings.number("a0"), 0.01);

  const Plan mnist = parsed(paper_experiment("mnist", kMethods));
  EXPECT_EQ(mnist.cases.front().model.type, "bnn-classification");
  EXPECT_EQ(mnist.cases.front().model.settings.integer("hidden"), 100);
  EXPECT_EQ(method(mnist.cases.front(), "sgld").settings.number("a0"), 0.001);
  EXPECT_EQ(method(mnist.cases.front(), "dsgld").settings.number("a0"), 0.0005);
}

TEST(PaperPreset, AMethodWithAnotherStepRuleKeepsItsOwnRate) {
  const Plan plan = parsed(paper_experiment("year", kMethods));
  const AlgorithmPlan& scaffold = method(plan.cases.front(), "scaffold");
  const Settings own(scaffold.method->settings);
  EXPECT_EQ(scaffold.settings.number("learning_rate"), own.number("learning_rate"));
}

TEST(PaperPreset, ToysHaveNoDatasetAndOneAgentPerFactor) {
  const Plan plan =
      parsed("[experiment]\nname = \"toy\"\npreset = \"paper\"\n[model]\ntype = \"gaussian-mixture-1d\"\n" + kMethods);
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(only.name, "gaussian-mixture-1d");
  EXPECT_EQ(only.dataset.name, "gaussian-mixture-1d");
  EXPECT_EQ(only.partition.agents, 2);
  EXPECT_EQ(only.partition.kind, PartitionKind::kByGroup);
  EXPECT_EQ(only.model.settings.text("prior"), "uniform");
  EXPECT_EQ(method(only, "dsvgd").settings.integer("particles"), 200);
  EXPECT_THAT(only.evaluation.kl_bandwidths, testing::ElementsAre(0.55));
}

TEST(PaperPreset, TheFilesValuesWinInTheirOrder) {
  const Plan plan =
      parsed(paper_experiment("covertype",
                              "[hyperparameters]\nparticles = 8\nlocal_steps = 50\n[model]\nprior_scale = 100\n"
                              "[[algorithm]]\ntype = \"dsvgd\"\nparticles = 2\n"
                              "[[algorithm]]\ntype = \"svgd\"\nrounds = 3\n"));
  const CasePlan& only = plan.cases.front();
  EXPECT_EQ(only.model.settings.number("prior_scale"), 100);
  EXPECT_EQ(method(only, "dsvgd").settings.integer("particles"), 2);
  EXPECT_EQ(method(only, "dsvgd").settings.integer("local_steps"), 50);
  EXPECT_EQ(method(only, "svgd").settings.integer("particles"), 8);
  EXPECT_EQ(method(only, "svgd").rounds, 3);
}

TEST(PaperPreset, EveryNamedDatasetHasAPlanWithEveryMethodThatServesIt) {
  for (const DatasetInfo& info : known_datasets()) {
    EXPECT_EQ(complaints(paper_experiment(info.name, kMethods)), "") << info.name;
  }
}

TEST(PaperPreset, LeavesFilesOfOnesOwnUnscaled) {
  const DatasetPlan data = parsed(paper_experiment("./rows.csv", kMethods)).cases.front().dataset;
  EXPECT_FALSE(data.standard_scaling);
  EXPECT_EQ(data.scaling, ScalingRule::kNone);
}

// The reproduction stays what it is, whatever our own defaults become. Some experiments are about those.
TEST(PaperPreset, IsThatOfEveryExperimentThatTheProgramBrings) {
  const std::set<std::string> own = {"demo", "control-variates", "niid", "particles", "fed-heart"};
  for (const auto& entry : std::filesystem::directory_iterator(FEDSTEIN_SOURCE_DIR "/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    if (own.contains(entry.path().stem().string())) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Plan plan = load_plan(entry.path().string(), without_data());
    EXPECT_THAT(plan.document, testing::HasSubstr("preset = \"paper\""));
    for (const CasePlan& each : plan.cases) {
      EXPECT_TRUE(each.dataset.standard_scaling);
      if (each.model.type != "logistic-regression") continue;
      EXPECT_EQ(each.model.settings.text("prior"), "gamma");
    }
  }
}

// Runs that were stored before there were presets mean the paper's settings.
TEST(PaperPreset, CanBeThatOfDocumentsWithoutOne) {
  ParseOptions older = without_data();
  older.preset = "paper";
  EXPECT_EQ(to_json(parsed(experiment("covertype", kMethods), older)),
            to_json(parsed(paper_experiment("covertype", kMethods))));
  const Plan own = parsed(experiment("covertype", kMethods));
  EXPECT_EQ(to_json(parsed(own.document, older)), to_json(own)) << "a stored document names its preset";
}

// A typing error in the table would otherwise be a default that never applies.
TEST(PaperPreset, ThePapersTableNamesWhatExists) {
  for (const PaperDefault& line : paper_defaults()) {
    for (const std::string& name : line.models) EXPECT_NE(Registry::standard().find_model_type(name), nullptr) << name;
    for (const std::string& name : line.datasets) EXPECT_NO_THROW(find_dataset(name));
    for (const std::string& name : line.methods) EXPECT_NO_THROW(algorithm_named(name));
    EXPECT_FALSE(line.source.empty()) << line.key;
  }
  for (const PresetDefault& line : paper_tables()) {
    const Setting* setting = find_setting(table_definitions(line.table), line.key);
    ASSERT_NE(setting, nullptr) << line.key;
    EXPECT_TRUE(is_allowed(*setting, line.value)) << line.key;
    EXPECT_NE(setting->standard, line.value) << line.key << " is the default anyway";
  }
}

}  // namespace
}  // namespace fedstein
