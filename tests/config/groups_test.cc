// SPDX-License-Identifier: Apache-2.0
// evaluation.by_group and algorithm.alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kMethod = "[[algorithm]]\ntype = \"dsvgd\"\n";
const std::string kByGroup = "[evaluation]\nby_group = true\n" + kMethod;

std::string drawn(const std::string& metric) {
  return "[[figure]]\nkind = \"rounds\"\nmetric = \"" + metric + "\"\n";
}

TEST(ByGroupKey, IsOffUnlessAskedAndStoredWhereItIsOn) {
  const Plan off = parsed(experiment("fed-heart", kMethod));
  EXPECT_FALSE(off.cases[0].evaluation.by_group);
  EXPECT_THAT(to_json(off), Not(HasSubstr("by_group")));
  const Plan on = parsed(experiment("fed-heart", kByGroup));
  EXPECT_TRUE(on.cases[0].evaluation.by_group);
  EXPECT_NE(to_json(on), to_json(off));
  EXPECT_EQ(to_json(on), to_json(parsed(on.document)));
}

TEST(ByGroupKey, NeedsGroups) {
  EXPECT_THAT(complaints(experiment("heart", kByGroup)),
              HasSubstr("evaluation.by_group has no effect: the rows of the dataset name no groups"));
  EXPECT_EQ(complaints(experiment("ecg", kByGroup)), "");
}

// Of groups with names; where they are numbers, the rows must be read first.
TEST(ByGroupKey, ItsFiguresCanBeDrawn) {
  for (const char* metric : {"accuracy@cleveland", "log_likelihood@va"}) {
    EXPECT_EQ(complaints(experiment("fed-heart", kByGroup + drawn(metric))), "") << metric;
    EXPECT_THAT(complaints(experiment("fed-heart", kMethod + drawn(metric))), HasSubstr("figure.metric is '"))
        << metric;
  }
  EXPECT_THAT(complaints(experiment("fed-heart", kByGroup + drawn("rmse@va"))), HasSubstr("figure.metric"));
}

TEST(AloneKey, IsOneOfTheAgents) {
  const auto alone = [](const std::string& agent) {
    return "[experiment]\nname = \"t\"\ndataset = \"fed-heart\"\npartition = \"by-column\"\nagents = 4\n" + kMethod +
           "alone = " + agent + "\n";
  };
  const Plan plan = parsed(alone("3"));
  EXPECT_EQ(plan.cases[0].algorithms[0].alone, 3);
  EXPECT_THAT(describe(plan), HasSubstr("agent 3 alone"));
  EXPECT_EQ(to_json(plan), to_json(parsed(plan.document)));
  EXPECT_THAT(complaints(alone("4")), HasSubstr("algorithm.alone is 4; there are 4 agents; allowed: 0 to 3"));
  EXPECT_THAT(complaints(alone("-1")), HasSubstr("algorithm.alone is -1"));
  const Plan all = parsed(experiment("fed-heart", kMethod));
  EXPECT_FALSE(all.cases[0].algorithms[0].alone.has_value());
  EXPECT_THAT(to_json(all), Not(HasSubstr("alone")));
}

}  // namespace
}  // namespace fedstein
