// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/selection.h"

#include <gtest/gtest.h>

#include "fedstein/config/parse.h"
#include "support/throws.h"

namespace fedstein {
namespace {

constexpr const char* kDocument = R"(
[experiment]
name = "many"
dataset = "waveform"
agents = 4
[hyperparameters]
prior = true
[[algorithm]]
type = "c-dsvgd"
[[algorithm]]
type = "fedavg"
label = "fedavg 0.1"
[[algorithm]]
type = "fedavg"
label = "fedavg 0.3"
learning_rate = 0.3
[[case]]
name = "two, iid"
federation.rounds = 2
[[case]]
name = "three, iid"
federation.rounds = 3
)";

Plan planned(const std::vector<std::string>& cases, const std::vector<std::string>& methods) {
  ParseOptions options{.check_data = false};
  options.cases = cases;
  options.methods = methods;
  return parse_plan(kDocument, "many.toml", options);
}

TEST(Selection, AStarIsAnyText) {
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("*", "anything"));
  EXPECT_TRUE(fits("fed*0.3", "fedavg 0.3"));
  EXPECT_TRUE(fits("*a*b*", "xxaxxabxx"));
  EXPECT_TRUE(fits("plain", "plain"));
  EXPECT_FALSE(fits("plain", "plainly"));
  EXPECT_FALSE(fits("*a*b", "ba"));
  EXPECT_FALSE(fits("", "x"));
  EXPECT_FALSE(fits("*a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST(Selection, LeavesTheNamedPart) {
  const Plan plan = planned({"three*"}, {"c-dsvgd", "*0.3"});
  ASSERT_EQ(plan.cases.size(), 1U);
  ASSERT_EQ(plan.cases.front().algorithms.size(), 2U);
  EXPECT_EQ(plan.cases.front().algorithms.back().label, "fedavg 0.3");
  EXPECT_EQ(planned({}, {}).cases.size(), 2U);
}

// A key that only methods take which were not selected is no mistake of the file.
TEST(Selection, KeysOfTheOthersAreNoMistake) {
  EXPECT_EQ(planned({}, {"c-dsvgd"}).cases.front().algorithms.size(), 1U);
}

// What a stored run says of itself gives the same plan again, without the option.
TEST(Selection, IsWhatTheDocumentHolds) {
  const Plan plan = planned({"two*"}, {"fedavg 0.1"});
  const Plan again = parse_plan(plan.document, "stored.toml", {.check_data = false, .refuse_idle_keys = false});
  EXPECT_EQ(again.cases.size(), 1U);
  EXPECT_EQ(again.cases.front().algorithms.size(), 1U);
}

// A mistake of the file is one whatever is selected of it.
TEST(Selection, TheWholeFileIsChecked) {
  ParseOptions options{.check_data = false, .overrides = {"experiment.unseen_class=3"}};
  options.methods = {"c-dsvgd"};
  EXPECT_THROW_MESSAGE(parse_plan(kDocument, "many.toml", options), BadConfiguration, "experiment.unseen_class");
}

TEST(Selection, FiguresOfTheOthersAreDropped) {
  const std::string figures = std::string(kDocument) +
                              "evaluation.f1 = true\n[[figure]]\nkind = \"rounds\"\nmetric = \"f1\"\n"
                              "[[figure]]\nkind = \"rounds\"\nmetric = \"accuracy\"\n";
  ParseOptions options{.check_data = false};
  EXPECT_EQ(parse_plan(figures, "many.toml", options).figures.size(), 2U);
  options.cases = {"two*"};
  EXPECT_EQ(parse_plan(figures, "many.toml", options).figures.size(), 1U);
}

TEST(Selection, APatternThatFitsNothingIsAMistake) {
  EXPECT_THROW_MESSAGE(
      planned({"four*"}, {}), BadConfiguration, "--case 'four*' fits no name; there are: two, iid; three, iid");
  EXPECT_THROW_MESSAGE(planned({}, {"fedavg"}),
                       BadConfiguration,
                       "--method 'fedavg' fits no name; did you mean 'fedavg 0.1' or 'fedavg 0.3'? there are: c-dsvgd; "
                       "fedavg 0.1; fedavg 0.3");
}

}  // namespace
}  // namespace fedstein
