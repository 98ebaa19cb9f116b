// SPDX-License-Identifier: Apache-2.0
// A plan's document, parsed again, gives the plan again: what the run store relies on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "config/documents.h"
#include "fedstein/methods/registry.h"

namespace fedstein {
namespace {

void expect_round_trip(const std::string& document, const ParseOptions& options) {
  const Plan plan = parsed(document, options);
  const Plan again = parsed(plan.document);
  EXPECT_EQ(to_json(again), to_json(plan)) << plan.document;
  EXPECT_EQ(again.document, plan.document);
}

TEST(RoundTrip, EveryExperimentOfThePaper) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FEDSTEIN_SOURCE_DIR "/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream stream(entry.path());
    const std::string document{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    for (const bool quick : {false, true}) {
      ParseOptions options = without_data();
      options.quick = quick;
      options.overrides = {"experiment.seed=5"};
      EXPECT_NO_THROW(expect_round_trip(document, options));
    }
    ++files;
  }
  EXPECT_GE(files, 14);
}

TEST(RoundTrip, ValuesThatAreHardToWrite) {
  expect_round_trip(
      "[experiment]\nname = \"a\"\ntitle = \"\\u00e9 \\\"quoted\\\" \\\\ 'single'\"\ndataset = \"heart\"\nagents = 2\n"
      "[hyperparameters]\ntemperature = 1e-7\nlearning_rate = 3\nridge = 1e300\n"
      "[[algorithm]]\ntype = \"dsvgd\"\nlabel = \"D.S \\\"V\\\" [G] = D\"\n"
      "[sweep]\n\"algorithm.D.S \\\"V\\\" [G] = D.particles\" = [1, 2]\n"
      "[data]\n",
      without_data());
}

TEST(RoundTrip, AFileOfYourOwn) {
  const std::string document = experiment("./rows.csv",
                                          "test_fraction = 0.25\nscaling = \"standardise\"\npartition = \"by-column\"\n"
                                          "[data]\nlabels = \"multiclass\"\nseparator = \"\\t\"\nheader = true\n"
                                          "label_column = 0\ngroup_column = 3\nignored_columns = [1, 2]\n"
                                          "labels_from = [1, 2.5]\nlabels_to = [0, 1]\n"
                                          "[[algorithm]]\ntype = \"fedavg\"\n");
  expect_round_trip(document, without_data());
  const Plan plan = parsed(document);
  const DatasetPlan& data = plan.cases.front().dataset;
  EXPECT_TRUE(data.own_file);
  EXPECT_FALSE(data.standard_split);
  EXPECT_EQ(data.test_fraction, 0.25);
  EXPECT_EQ(data.scaling, ScalingRule::kStandardise);
  EXPECT_EQ(data.file.labels, LabelKind::kMulticlass);
  EXPECT_EQ(data.file.layout.text.separator, '\t');
  EXPECT_EQ(data.file.layout.group_column, 3);
  EXPECT_EQ(data.file.layout.labels.at(1).from, 2.5);
  EXPECT_EQ(plan.cases.front().model.type, "bnn-classification");
}

TEST(Json, HoldsEveryValueOfEveryCase) {
  const auto json = nlohmann::json::parse(to_json(parsed(experiment("heart", "[[algorithm]]\ntype = \"dsvgd\"\n"))));
  const auto& only = json.at("cases").at(0);
  EXPECT_EQ(only.at("coordinates").at("dataset"), "heart");
  EXPECT_EQ(only.at("partition").at("agents"), 2);
  EXPECT_EQ(only.at("model").at("settings").at("prior_scale"), 0.01);
  EXPECT_EQ(only.at("algorithms").at(0).at("settings").size(), algorithm_named("dsvgd").settings.size());
  EXPECT_EQ(only.at("evaluation").at("particles"), "last");
}

// Documents from parts that go together, so that most are good plans.
RC_GTEST_PROP(RoundTrip, HoldsForDocumentsMadeAtRandom, ()) {
  const auto pick = [](std::initializer_list<std::string> parts) {
    return *rc::gen::elementOf(std::vector<std::string>(parts));
  };
  std::string document = experiment(pick({"heart", "kin8nm", "mnist", "twonorm", "ecg"}));
  document += "trials = " + std::to_string(*rc::gen::inRange(1, 50)) + "\n";
  document += pick({"", "partition = \"iid\"\n", "test_fraction = 0.5\n", "scaling = \"none\"\n"});
  document += pick({"", "[federation]\nrounds = 3\n", "[federation]\nscheduler = \"random\"\nrounds = 4\n"});
  document += pick({"", "[evaluation]\nksd = true\nevery = 7\n", "[evaluation]\nparticles = \"all\"\nbins = 4\n"});
  document += pick({"", "[hyperparameters]\nlocal_steps = 9\n", "[hyperparameters]\nbatch = 3\nlocal_steps = 0\n"});
  document += pick({"", "[sweep]\nfederation.rounds = [3, 1, 2]\n", "[sweep]\nhyperparameters.local_steps = [5, 1]\n"});
  document += "[[algorithm]]\ntype = \"" + pick({"fedavg", "svgd", "pvi", "scaffold"}) + "\"\n";
  document += "[[algorithm]]\ntype = \"dsvgd\"\nlabel = \"" + pick({"ours", "D, N = 2", "\xc3\xa9"}) + "\"\n";
  document += pick({"", "particles = 2\nkde_bandwidth = 0.1\n", "distillation = \"reference\"\nrounds = 8\n"});
  document +=
      pick({"", "[[case]]\nname = \"few\"\nexperiment.agents = 2\n[[case]]\nname = \"more\"\nexperiment.agents = 6\n"});
  const Plan plan = parsed(document);
  const Plan again = parsed(plan.document);
  RC_ASSERT(to_json(again) == to_json(plan));
  RC_ASSERT(again.document == plan.document);
}

}  // namespace
}  // namespace fedstein
