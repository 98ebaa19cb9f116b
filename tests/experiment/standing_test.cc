// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/standing.h"

#include <gmock/gmock.h>

#include <cmath>

#include "experiment/made_up_results.h"

namespace fedstein {
namespace {

using testing::ElementsAre;

constexpr const char* kFigure = "log_likelihood";

std::vector<std::string> labels_of(const std::vector<StandingEntry>& entries) {
  std::vector<std::string> out;
  for (const StandingEntry& entry : entries) out.push_back(entry.label);
  return out;
}

TEST(Standing, TheMarginIsPairedByTrial) {
  // Trials differ far more than methods do: 0.1, 0.2 and 0.3 better in three trials.
  const CaseResult result = made_up_case("one",
                                         {},
                                         {made_up_method("b", kFigure, {{-1.1}, {-2.2}, {-3.3}}),
                                          made_up_method("a", kFigure, {{-1}, {-2}, {-3}}),
                                          made_up_method("c", kFigure, {{-9}, {-9}, {-9}})});
  const Standing standing = standing_of(result).value();
  EXPECT_EQ(standing.figure, kFigure);
  EXPECT_THAT(labels_of(standing.ranked), ElementsAre("a", "b", "c"));
  EXPECT_NEAR(standing.margin->mean, 0.2, 1e-12);
  EXPECT_NEAR(standing.margin->error, 0.1 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(standing.margin->trials, 3);
}

TEST(Standing, OnlyTrialsThatBothHaveArePaired) {
  CaseResult result = made_up_case(
      "one", {}, {made_up_method("a", kFigure, {{-1}, {-2}}), made_up_method("b", kFigure, {{-1.5}, {-2.5}, {-90}})});
  EXPECT_EQ(standing_of(result)->margin->trials, 2);
  EXPECT_DOUBLE_EQ(standing_of(result)->margin->mean, 0.5);
  result.methods[1].trials.resize(1);
  EXPECT_EQ(standing_of(result)->margin->trials, 1) << "one trial: no standard error";
}

TEST(Standing, OneMethodHasNoMargin) {
  const CaseResult result = made_up_case("one", {}, {made_up_method("a", kFigure, {{-1}})});
  const Standing standing = standing_of(result).value();
  EXPECT_EQ(standing.ranked.size(), 1U);
  EXPECT_FALSE(standing.margin);
}

TEST(Standing, WhoSeesAllRowsOrOneAgentsRowsWinsNothing) {
  CaseResult result = made_up_case("one",
                                   {},
                                   {made_up_method("all", kFigure, {{-0.1}}),
                                    made_up_method("lonely", kFigure, {{-0.2}}),
                                    made_up_method("federated", kFigure, {{-0.5}})});
  result.methods[0].centralised = true;
  result.methods[1].alone = true;
  Standing standing = standing_of(result).value();
  EXPECT_THAT(labels_of(standing.ranked), ElementsAre("federated"));
  EXPECT_THAT(labels_of(standing.beside), ElementsAre("all", "lonely"));
  EXPECT_FALSE(standing.margin);
  result.methods.pop_back();
  standing = standing_of(result).value();
  EXPECT_THAT(labels_of(standing.ranked), ElementsAre("all", "lonely")) << "nobody else ran";
  EXPECT_TRUE(standing.margin);
}

TEST(Standing, WhatFailedOrDivergedIsLeftOut) {
  CaseResult result = made_up_case("one",
                                   {},
                                   {made_up_method("diverged", kFigure, {{-1}, {std::nan("")}}),
                                    made_up_method("failed", kFigure, {{-0.1}, {-0.1}}),
                                    made_up_method("endless", kFigure, {{-1}, {-INFINITY}}),
                                    made_up_method("sound", kFigure, {{-2}, {-2}})});
  result.methods[1].trials[1].status = JobStatus::kFailed;
  const Standing standing = standing_of(result).value();
  EXPECT_THAT(labels_of(standing.ranked), ElementsAre("sound"));
  EXPECT_THAT(standing.left_out, ElementsAre("diverged", "failed", "endless"));
}

TEST(Standing, OfAFigureWhereLessIsBetterTheLeastWins) {
  const CaseResult result =
      made_up_case("one", {}, {made_up_method("a", "rmse", {{3.0}}), made_up_method("b", "rmse", {{2.5}})});
  const Standing standing = standing_of(result).value();
  EXPECT_EQ(standing.figure, "rmse");
  EXPECT_EQ(standing.ranked.front().label, "b");
  EXPECT_DOUBLE_EQ(standing.margin->mean, 0.5);
  EXPECT_FALSE(standing_of(made_up_case("none", {}, {made_up_method("a", "spread", {{1.0}})})));
}

}  // namespace
}  // namespace fedstein
