// SPDX-License-Identifier: Apache-2.0
// The ways of NIID-Bench to divide data: [experiment] partition = "quantity" and feature_noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kMethod = "[[algorithm]]\ntype = \"fedavg\"\n";

std::string with(const std::string& lines, const std::string& dataset = "heart") {
  return experiment(dataset, lines + kMethod);
}

TEST(FeatureNoise, IsNoneUnlessAsked) {
  const Plan plan = parsed(with(""));
  EXPECT_EQ(plan.cases[0].feature_noise, 0);
  EXPECT_THAT(describe(plan), Not(HasSubstr("feature noise")));
}

TEST(FeatureNoise, IsInThePlanItsTextAndWhatIsStored) {
  for (const char* kind : {"iid", "dirichlet", "quantity", "label-fractions", "classes-per-agent"}) {
    const Plan plan = parsed(with("partition = \"" + std::string(kind) + "\"\nfeature_noise = 0.25\n"));
    EXPECT_EQ(plan.cases[0].feature_noise, 0.25);
    EXPECT_THAT(describe(plan), HasSubstr(", feature noise 0.25")) << kind;
    EXPECT_THAT(to_json(plan), HasSubstr("\"feature_noise\": 0.25"));
    EXPECT_EQ(to_json(plan), to_json(parsed(plan.document)));
  }
}

TEST(FeatureNoise, MayBeSwept) {
  const Plan plan = parsed(with("[sweep]\n\"experiment.feature_noise\" = [0, 0.1]\n"));
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[0].feature_noise, 0);
  EXPECT_EQ(plan.cases[1].feature_noise, 0.1);
}

TEST(FeatureNoise, RefusesWhatIsNoVariance) {
  const auto said = [](const std::string& value) { return complaints(with("feature_noise = " + value + "\n")); };
  EXPECT_THAT(said("-0.1"),
              HasSubstr("test.toml:5: experiment.feature_noise is -0.1; allowed: a number of at least 0"));
  EXPECT_THAT(said("inf"), HasSubstr("test.toml:5: experiment.feature_noise is inf; allowed: a number of at least 0"));
  EXPECT_THAT(said("\"much\""), HasSubstr("test.toml:5: experiment.feature_noise is 'much'; allowed: a number"));
}

TEST(FeatureNoise, AToyHasNoFeatures) {
  const std::string toy =
      "[experiment]\nname = \"t\"\nfeature_noise = 0.1\n[model]\ntype = \"gaussian-mixture-1d\"\n[[algorithm]]\ntype = "
      "\"dsvgd\"\n";
  EXPECT_THAT(complaints(toy),
              HasSubstr("test.toml:3: experiment.feature_noise has no effect: an agent of a gaussian-mixture has no "
                        "features to disturb"));
}

TEST(Quantity, IsAPartitionOfAnySet) {
  const std::string lines = "partition = \"quantity\"\ndirichlet_alpha = 0.5\n";
  for (const char* dataset : {"heart", "mnist", "kin8nm"}) {
    const Plan plan = parsed(with(lines, dataset));
    EXPECT_EQ(plan.cases[0].partition.kind, PartitionKind::kQuantity);
    EXPECT_EQ(plan.cases[0].partition.alpha, 0.5);
    EXPECT_THAT(describe(plan), HasSubstr("quantity 0.5"));
    EXPECT_THAT(to_json(plan), HasSubstr("\"kind\": \"quantity\""));
    EXPECT_EQ(to_json(plan), to_json(parsed(plan.document)));
  }
}

TEST(Quantity, TellsWhichPartitionsTheKeysAreFor) {
  EXPECT_THAT(complaints(with("dirichlet_alpha = 0.5\n")),
              HasSubstr("test.toml:5: experiment.dirichlet_alpha has no effect: it is for the partitions dirichlet and "
                        "quantity only"));
  EXPECT_EQ(complaints(with("partition = \"dirichlet\"\ndirichlet_alpha = 0.5\n")), "");
  EXPECT_THAT(complaints(with("partition = \"quantity\"\nheavy_share = 0.9\n")),
              HasSubstr("test.toml:6: experiment.heavy_share has no effect: it is for the partition label-fractions "
                        "only"));
  EXPECT_THAT(complaints(with("partition = \"quantity\"\nclasses_per_agent = 1\n")),
              HasSubstr("test.toml:6: experiment.classes_per_agent has no effect"));
  EXPECT_THAT(complaints(with("partition = \"quantity\"\ndirichlet_alpha = 0\n")),
              HasSubstr("test.toml:6: experiment.dirichlet_alpha is 0; allowed: a number of at least 1e-06"));
  EXPECT_THAT(complaints(with("partition = \"quantities\"\n")), HasSubstr("dirichlet, quantity, by-column"));
}

TEST(Quantity, NeedsARowForEveryAgent) {
  const std::string document =
      "[experiment]\nname = \"a\"\ndataset = \"heart\"\nagents = 217\npartition = \"quantity\"\n";
  EXPECT_THAT(complaints(document + kMethod), HasSubstr("test.toml:4: experiment.agents is 217; heart has 216 rows"));
}

}  // namespace
}  // namespace fedstein
