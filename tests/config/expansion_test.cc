// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::string kTwo = "[[algorithm]]\ntype = \"dsvgd\"\n[[algorithm]]\ntype = \"fedavg\"\n";

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> out;
  for (const CasePlan& each : plan.cases) out.push_back(each.name);
  return out;
}

std::vector<std::string> labels(const CasePlan& plan) {
  std::vector<std::string> out;
  for (const AlgorithmPlan& each : plan.algorithms) out.push_back(each.label);
  return out;
}

Plan with_changes(const std::string& document, std::vector<std::string> changes, bool quick = false) {
  ParseOptions options = without_data();
  options.overrides = std::move(changes);
  options.quick = quick;
  return parsed(document, options);
}

// A list of widths is one value: of a table as it stands, of a sweep as an item.
TEST(Expansion, WidthsOfLayersAreOneValue) {
  const Plan deep = parsed("[experiment]\nname = \"a\"\ndataset = \"mnist\"\nagents = 2\n[model]\nhidden = [64, 32]\n" +
                           std::string("activation = \"tanh\"\n") + kTwo);
  ASSERT_EQ(deep.cases.size(), 1U);
  EXPECT_EQ(deep.cases.front().model.settings.integers("hidden"), (IntegerList{64, 32}));
  EXPECT_THAT(to_json(deep), HasSubstr("\"hidden\": [\n"));
  EXPECT_THAT(describe(deep), HasSubstr("hidden=[64, 32]*"));
  const Plan swept = parsed(
      "[experiment]\nname = \"a\"\ndataset = \"mnist\"\nagents = 2\n[sweep]\nmodel.hidden = [8, [8, 4], [5]]\n" + kTwo);
  EXPECT_THAT(names(swept), ElementsAre("mnist, hidden = 8", "mnist, hidden = [8, 4]", "mnist, hidden = [5]"));
  EXPECT_EQ(swept.cases[1].model.settings.integers("hidden"), (IntegerList{8, 4}));
  EXPECT_EQ(swept.cases[2].model.settings.integer("hidden"), 5);
}

TEST(Expansion, CasesTimesDatasetsTimesSweep) {
  const Plan plan = parsed(
      "[experiment]\nname = \"a\"\ndataset = [\"heart\", \"german\"]\n[sweep]\nfederation.rounds = [1, 2]\n"
      "[[case]]\nname = \"two\"\nexperiment.agents = 2\n[[case]]\nname = \"four\"\n\"experiment.agents\" = 4\n" +
      kTwo);
  EXPECT_THAT(names(plan),
              ElementsAre("heart, two, I = 1",
                          "heart, two, I = 2",
                          "german, two, I = 1",
                          "german, two, I = 2",
                          "heart, four, I = 1",
                          "heart, four, I = 2",
                          "german, four, I = 1",
                          "german, four, I = 2"));
  const CasePlan& last = plan.cases.back();
  EXPECT_THAT(last.coordinates, ElementsAre(Pair("dataset", "german"), Pair("case", "four"), Pair("rounds", "2")));
  EXPECT_EQ(last.partition.agents, 4);
  EXPECT_THAT(labels(last), ElementsAre("dsvgd", "fedavg"));  // all feel the rounds
  EXPECT_EQ(method(last, "fedavg").rounds, 2);
}

TEST(Expansion, SweepsKeepTheOrderOfTheDocument) {
  const Plan plan = parsed(
      experiment("heart", "[sweep]\n\"hyperparameters.particles\" = [4, 2]\n\"experiment.agents\" = [3]\n" + kTwo));
  EXPECT_THAT(names(plan), ElementsAre("heart, N = 4, K = 3", "heart, N = 2, K = 3"));
}

TEST(Expansion, AMethodThatDoesNotFeelTheSweepIsListedOnce) {
  const Plan plan = parsed(experiment(
      "heart", "[sweep]\nhyperparameters.particles = [2, 4]\nhyperparameters.local_steps = [1, 5]\n" + kTwo));
  ASSERT_EQ(plan.cases.size(), 4U);
  EXPECT_THAT(labels(plan.cases[0]), ElementsAre("dsvgd", "fedavg"));
  EXPECT_THAT(labels(plan.cases[1]), ElementsAre("dsvgd", "fedavg"));  // feels the local steps
  EXPECT_THAT(labels(plan.cases[2]), ElementsAre("dsvgd"));
  EXPECT_THAT(labels(plan.cases[3]), ElementsAre("dsvgd"));
}

TEST(Expansion, AMethodWithItsOwnValueDoesNotFeelTheSweep) {
  const Plan plan = parsed(experiment("heart",
                                      "[sweep]\nhyperparameters.particles = [2, 4]\n[[algorithm]]\ntype = \"dsvgd\"\n"
                                      "[[algorithm]]\ntype = \"svgd\"\nparticles = 7\n"));
  EXPECT_THAT(labels(plan.cases[0]), ElementsAre("dsvgd", "svgd"));
  EXPECT_THAT(labels(plan.cases[1]), ElementsAre("dsvgd"));
}

TEST(Expansion, OneMethodsSettingCanBeSwept) {
  const Plan plan = parsed(experiment("heart", "[sweep]\n\"algorithm.dsvgd.particles\" = [2, 4]\n" + kTwo));
  EXPECT_THAT(names(plan), ElementsAre("heart, N = 2", "heart, N = 4"));
  EXPECT_EQ(method(plan.cases[1], "dsvgd").settings.integer("particles"), 4);
  EXPECT_THAT(labels(plan.cases[1]), ElementsAre("dsvgd"));
}

TEST(Expansion, SweptKeysWithOneLastWordAreNamedInFull) {
  const Plan plan = parsed(experiment(
      "heart", "[sweep]\n\"algorithm.dsvgd.local_steps\" = [2]\n\"algorithm.fedavg.local_steps\" = [4]\n" + kTwo));
  EXPECT_EQ(plan.cases.front().coordinates[1].first, "algorithm.dsvgd.local_steps");
  EXPECT_EQ(plan.cases.front().coordinates[2].first, "algorithm.fedavg.local_steps");
}

TEST(Expansion, CasesMayRestrictMethodsAndReplaceTheSweep) {
  const Plan plan = parsed(experiment("heart",
                                      "[sweep]\nfederation.rounds = [1, 2]\n[[case]]\nname = \"swept\"\n"
                                      "[[case]]\nname = \"not\"\nsweep.federation.rounds = []\nfederation.rounds = 9\n"
                                      "[[algorithm]]\ntype = \"dsvgd\"\n"
                                      "[[algorithm]]\ntype = \"fedavg\"\ncases = [\"not\"]\n"));
  EXPECT_THAT(names(plan), ElementsAre("heart, swept, I = 1", "heart, swept, I = 2", "heart, not"));
  EXPECT_THAT(labels(plan.cases[0]), ElementsAre("dsvgd"));
  EXPECT_THAT(labels(plan.cases[2]), ElementsAre("dsvgd", "fedavg"));
  EXPECT_EQ(method(plan.cases[2], "dsvgd").rounds, 9);
}

const std::string kWithQuick =
    experiment("heart",
               "trials = 10\n[federation]\nrounds = 50\n[sweep]\nhyperparameters.particles = [2, 4, 8]\n"
               "[[case]]\nname = \"a\"\n[[case]]\nname = \"b\"\nfederation.rounds = 70\n" +
                   kTwo +
                   "[quick]\nfederation.rounds = 5\nsweep.hyperparameters.particles = [2]\n"
                   "\"algorithm.fedavg.local_steps\" = 3\nexperiment.trials = 1\n");

TEST(Quick, ReplacesTheFilesValuesThoseOfCasesToo) {
  const Plan full = with_changes(kWithQuick, {});
  EXPECT_EQ(full.cases.size(), 6U);
  EXPECT_EQ(full.trials, 10);
  const Plan quick = with_changes(kWithQuick, {}, true);
  EXPECT_THAT(names(quick), ElementsAre("heart, a, N = 2", "heart, b, N = 2"));
  EXPECT_EQ(quick.trials, 1);
  EXPECT_EQ(method(quick.cases[0], "dsvgd").rounds, 5);
  EXPECT_EQ(method(quick.cases[1], "dsvgd").rounds, 5);
  EXPECT_EQ(method(quick.cases[0], "fedavg").settings.integer("local_steps"), 3);
  EXPECT_EQ(method(quick.cases[0], "dsvgd").settings.integer("local_steps"), 200);
}

TEST(Quick, MayTreatSingleCasesOtherwise) {
  const std::string document = kWithQuick + "\"case.b.federation.rounds\" = 6\n";
  const Plan quick = with_changes(document, {}, true);
  EXPECT_EQ(method(quick.cases[0], "dsvgd").rounds, 5);
  EXPECT_EQ(method(quick.cases[1], "dsvgd").rounds, 6);
}

TEST(Quick, NeedsItsTable) {
  ParseOptions options = without_data();
  options.quick = true;
  EXPECT_THAT(complaints(experiment("heart", kTwo), options), HasSubstr("test.toml: has no table [quick]"));
}

TEST(Set, WinsOverQuickAndCases) {
  const Plan plan = with_changes(kWithQuick, {"federation.rounds=7", "experiment.seed=12"}, true);
  for (const CasePlan& each : plan.cases) EXPECT_EQ(method(each, "dsvgd").rounds, 7);
  EXPECT_EQ(plan.seed, 12U);
}

TEST(Set, TakesWordsListsAndSingleCases) {
  const Plan plan = with_changes(kWithQuick,
                                 {"experiment.dataset=german",
                                  "sweep.hyperparameters.particles=[3]",
                                  "case.b.federation.rounds=8",
                                  "model.intercept=true",
                                  "algorithm.dsvgd.distillation=\"svgd\""});
  EXPECT_THAT(names(plan), ElementsAre("german, a, N = 3", "german, b, N = 3"));
  EXPECT_EQ(method(plan.cases[1], "dsvgd").rounds, 8);
  EXPECT_TRUE(plan.cases[0].model.settings.flag("intercept"));
  EXPECT_EQ(method(plan.cases[0], "dsvgd").settings.text("distillation"), "svgd");
}

struct WrongSet {
  const char* change;
  const char* said;
};

TEST(Set, MistakesAreSaidToBeItsOwn) {
  for (const WrongSet& wrong : {
           WrongSet{"federation.rounds=0", "--set: federation.rounds is 0; allowed: an integer of at least 1"},
           WrongSet{"federation.runds=3", "--set: federation.runds is no key of this table; did you mean 'rounds'?"},
           WrongSet{"rounds=3", "--set: rounds is no path to a key"},
           WrongSet{"federation.rounds", "--set: 'federation.rounds' is no setting; write KEY=VALUE"},
           WrongSet{"=3", "--set: '=3' is no setting"},
           WrongSet{"experiment.dataset=[\"heart\"", "--set: experiment.dataset is [\"heart\"; allowed: a TOML value"},
           WrongSet{"experiment.dataset=hart", "--set: experiment.dataset is 'hart'; there is no such dataset"},
           WrongSet{"experiment.title=a\nb", "--set: experiment.title is a?b; allowed: a TOML value"},
           WrongSet{"experiment.title=\xff\xfe", "allowed: a TOML value or a word"},
           WrongSet{"hyperparameters.particles=3",
                    "--set: hyperparameters.particles is 3; but the experiment sweeps it"},
           WrongSet{"figure.kind=rounds", "--set: figure.kind is no path to a key"},
       }) {
    ParseOptions options = without_data();
    options.overrides = {wrong.change};
    EXPECT_THAT(complaints(kWithQuick, options), HasSubstr(wrong.said));
  }
}

TEST(Expansion, AbsurdSizesAreRefusedBeforeTheyAreBuilt) {
  std::string lists;
  for (const char* key : {"experiment.agents", "federation.rounds", "evaluation.every", "hyperparameters.particles"}) {
    lists += std::string(key) + " = [1";
    for (int i = 2; i <= 100; ++i) lists += ", " + std::to_string(i);
    lists += "]\n";
  }
  EXPECT_THAT(complaints(experiment("heart", "[sweep]\n" + lists + kTwo)), HasSubstr("has more than 10000 cases"));
  EXPECT_THAT(
      complaints(experiment("heart", "trials = 100000\n[sweep]\nfederation.rounds = [1, 2, 3, 4, 5, 6]\n" + kTwo)),
      HasSubstr("has more than 1000000 jobs"));
}

}  // namespace
}  // namespace fedstein
