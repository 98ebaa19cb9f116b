// SPDX-License-Identifier: Apache-2.0
// [evaluation] unseen, experiment.unseen_class and experiment.unseen_group.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kMethod = "[[algorithm]]\ntype = \"dsvgd\"\n";

std::string judged(const std::string& dataset, const std::string& unseen, const std::string& more = "") {
  return experiment(dataset, more + "[evaluation]\nunseen = " + unseen + "\n" + kMethod);
}

TEST(UnseenKeys, AreNoneUnlessAsked) {
  const Plan plan = parsed(experiment("mnist", kMethod));
  EXPECT_TRUE(plan.cases[0].evaluation.unseen.empty());
  EXPECT_FALSE(plan.cases[0].dataset.unseen_class.has_value());
  EXPECT_FALSE(plan.cases[0].dataset.unseen_group.has_value());
}

TEST(UnseenKeys, ComeFromTheirTablesAndAreStored) {
  const Plan plan = parsed(judged("mnist", R"(["fashion-mnist", "rotated", "noise"])", "unseen_class = 3\n"));
  EXPECT_THAT(plan.cases[0].evaluation.unseen, ElementsAre("fashion-mnist", "rotated", "noise"));
  EXPECT_EQ(plan.cases[0].dataset.unseen_class, 3);
  EXPECT_EQ(to_json(plan), to_json(parsed(plan.document)));
  EXPECT_NE(to_json(plan), to_json(parsed(judged("mnist", R"(["fashion-mnist", "rotated", "noise"])"))));
  EXPECT_EQ(parsed(experiment("feature-skew", "unseen_group = 0\n" + kMethod)).cases[0].dataset.unseen_group, 0);
}

TEST(UnseenKeys, UnknownNamesAreRefusedWithWhatIsAllowed) {
  const std::string said = complaints(judged("mnist", R"(["shufled"])"));
  EXPECT_THAT(said, HasSubstr("test.toml:6: evaluation.unseen is 'shufled'; there is no such set of foreign rows"));
  EXPECT_THAT(said, HasSubstr("did you mean 'shuffled'?"));
  EXPECT_THAT(said, HasSubstr("far, fashion-mnist"));
  EXPECT_THAT(said, Not(HasSubstr("covertype")));
  EXPECT_THAT(complaints(judged("mnist", "[1]")), HasSubstr("evaluation.unseen is [1]; allowed: a list"));
  EXPECT_THAT(complaints(judged("mnist", R"(["far", "far"])")), HasSubstr("evaluation.unseen is 'far'; it is listed"));
}

TEST(UnseenKeys, AnotherDatasetMustHaveAsManyFeatures) {
  EXPECT_THAT(complaints(judged("mnist", R"(["covertype"])")),
              HasSubstr("covertype has 54 features and mnist has 784 features; allowed for it: shuffled, rotated"));
  EXPECT_EQ(complaints(judged("german", R"(["feature-skew", "far"])")), "");
}

TEST(UnseenKeys, OnlySquaresAreTurned) {
  EXPECT_THAT(
      complaints(judged("covertype", R"(["rotated"])")),
      HasSubstr(
          "covertype has 54 features, and only square images of 8 x 8 or more can be turned; allowed for it: shuffled, "
          "inverted, noise, far"));
}

TEST(UnseenKeys, OwnRowsAreNotForeign) {
  EXPECT_THAT(complaints(judged("mnist", R"(["mnist"])")),
              HasSubstr("evaluation.unseen 'mnist' has no effect: it is the dataset that is learned from"));
  const Plan both = parsed(
      "[experiment]\nname = \"t\"\ndataset = [\"mnist\", \"fashion-mnist\"]\nagents = 2\n[evaluation]\n"
      "unseen = [\"mnist\", \"fashion-mnist\"]\n" +
      kMethod);
  EXPECT_THAT(both.cases[0].evaluation.unseen, ElementsAre("fashion-mnist"));
  EXPECT_THAT(both.cases[1].evaluation.unseen, ElementsAre("mnist"));
}

TEST(UnseenKeys, AClassIsOneOfTheDatasets) {
  EXPECT_THAT(complaints(experiment("mnist", "unseen_class = 10\n" + kMethod)),
              HasSubstr("experiment.unseen_class is 10; mnist has 10 classes; allowed: 0 to 9"));
  EXPECT_THAT(complaints(experiment("heart", "unseen_class = 1\n" + kMethod)),
              HasSubstr("experiment.unseen_class has no effect: only a set of three classes or more"));
  EXPECT_THAT(complaints(experiment("heart", "unseen_group = 1\n" + kMethod)),
              HasSubstr("experiment.unseen_group has no effect: the rows of the dataset name no groups"));
}

// Nine classes are left to divide.
TEST(UnseenKeys, AgentsHoldTheClassesThatAreLeft) {
  const std::string nine =
      "[experiment]\nname = \"t\"\ndataset = \"mnist\"\nagents = 9\npartition = "
      "\"classes-per-agent\"\nclasses_per_agent = 1\n";
  EXPECT_THAT(complaints(nine + kMethod), HasSubstr("fewer than the 10 classes of mnist"));
  EXPECT_EQ(complaints(nine + "unseen_class = 0\n" + kMethod), "");
  EXPECT_THAT(complaints(experiment(
                  "mnist", "partition = \"classes-per-agent\"\nclasses_per_agent = 10\nunseen_class = 0\n" + kMethod)),
              HasSubstr("mnist without class 0 has 9 classes"));
}

TEST(UnseenKeys, AToyHasNoRowsToNotice) {
  EXPECT_THAT(complaints("[experiment]\nname = \"t\"\n[model]\ntype = \"gaussian-mixture-1d\"\n[evaluation]\n"
                         "unseen = [\"far\"]\n" +
                         kMethod),
              HasSubstr("evaluation.unseen 'far' has no effect: a gaussian-mixture predicts nothing"));
}

TEST(UnseenKeys, MissingFilesOfAnotherDatasetAreSaidBeforeTheRun) {
  ParseOptions options;
  options.data_folder = "/nowhere";
  EXPECT_THAT(complaints(experiment("feature-skew", "[evaluation]\nunseen = [\"german\"]\n" + kMethod), options),
              HasSubstr("evaluation.unseen is 'german'; its file"));
}

// Figures may draw what is recorded only.
TEST(UnseenKeys, TheirFiguresCanBeDrawn) {
  const auto drawn = [](const std::string& metric) {
    return "[[figure]]\nkind = \"rounds\"\nmetric = \"" + metric + "\"\n";
  };
  const std::string document = judged("mnist", R"(["noise"])", "unseen_class = 1\n");
  for (const char* metric : {"unseen@noise", "unseen_total@noise", "unseen@class", "unseen_total@class"}) {
    EXPECT_EQ(complaints(document + drawn(metric)), "") << metric;
  }
  EXPECT_THAT(complaints(document + drawn("unseen@far")), HasSubstr("figure.metric"));
}

}  // namespace
}  // namespace fedstein
