// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/comparison.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "experiment/made_up_results.h"

namespace fedstein {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunResult two_methods() {
  RunResult result;
  result.cases.push_back(made_up_case("twonorm",
                                      {{"dataset", "twonorm"}},
                                      {made_up_method("dsvgd", "accuracy", {{0.5, 0.9, 0.96}, {0.6, 0.9, 0.98}}),
                                       made_up_method("fedavg", "accuracy", {{0.5, 0.6, 0.7}, {0.5, 0.6, 0.7}})}));
  return result;
}

TEST(Compare, GivesFinalMeansErrorsAndCosts) {
  RunResult result = two_methods();
  result.cases[0].methods[0].trials[0].rounds.back().figures["difference"] = 3;  // of c-dsvgd's agents: no column
  const Comparison comparison = compare(result);
  EXPECT_THAT(comparison.figures, ElementsAre("accuracy"));
  ASSERT_EQ(comparison.rows.size(), 2U);
  const ComparisonRow& row = comparison.rows[0];
  EXPECT_DOUBLE_EQ(row.final_figures.at("accuracy").mean, 0.97);
  EXPECT_NEAR(row.final_figures.at("accuracy").error, 0.01, 1e-12);
  EXPECT_EQ(row.rounds, 3);
  EXPECT_EQ(row.bytes, 90);
  EXPECT_DOUBLE_EQ(row.seconds, 1.5);
  EXPECT_EQ(row.rounds_to_target, 3);  // 95 % of 0.97 is 0.9215
  EXPECT_EQ(comparison.rows[1].rounds_to_target, std::nullopt);
}

TEST(Compare, ATargetCanBeNamed) {
  const Comparison comparison = compare(two_methods(), {.target_figure = "accuracy", .target = 0.6});
  EXPECT_EQ(comparison.rows[0].rounds_to_target, 2);
  EXPECT_EQ(comparison.rows[1].rounds_to_target, 2);
  EXPECT_EQ(comparison.rows[1].bytes_to_target, 60);
}

TEST(Compare, TheTextMarksTheBestAndTheJsonHoldsTheNumbers) {
  const Comparison comparison = compare(two_methods());
  EXPECT_THAT(comparison_text(comparison, false), HasSubstr("0.9700 ± 0.0100*"));
  const auto json = nlohmann::json::parse(comparison_json(comparison));
  EXPECT_DOUBLE_EQ(json["rows"][0]["figures"]["accuracy"]["mean"], 0.97);
  EXPECT_TRUE(json["rows"][1]["rounds_to_target"].is_null());
}

RunResult with_shares(const std::vector<std::string>& shares) {
  RunResult result = two_methods();
  for (MethodResult& method : result.cases[0].methods) {
    for (TrialResult& trial : method.trials) {
      for (const std::string& share : shares) trial.rounds.back().figures["answered@" + share] = 0.5;
    }
  }
  return result;
}

// A tenth is a column, or the only share; others are a curve.
TEST(Compare, WhatAbstainingBuysIsAColumn) {
  EXPECT_THAT(comparison_text(compare(with_shares({"0", "0.1"})), false), HasSubstr("accuracy       surest 90 %"));
  EXPECT_THAT(comparison_text(compare(with_shares({"0.025"})), false), HasSubstr("surest 97.5 %"));
  EXPECT_THAT(comparison_text(compare(with_shares({"0.2", "0.3"})), false), testing::Not(HasSubstr("surest")));
  EXPECT_THAT(comparison_text(compare(with_shares({"0", "0.05", "0.1", "0.2"})), false), HasSubstr("surest 90 %"));
  EXPECT_THAT(comparison_text(compare(two_methods()), false), testing::Not(HasSubstr("surest")));
}

TEST(Compare, AWideTableGoesWithoutItsLeastAskedColumns) {
  RunResult result = with_shares({"0.1"});
  for (MethodResult& method : result.cases[0].methods) {
    for (TrialResult& trial : method.trials) trial.rounds.back().figures.insert({{"mce", 0.1}, {"ece", 0.2}});
  }
  const Comparison comparison = compare(result);
  const auto first_line = [&](std::size_t width) {
    const std::string text = comparison_text(comparison, false, width);
    const std::size_t begin = text.find("method");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string all = first_line(1000);
  EXPECT_THAT(all, HasSubstr("mce"));
  const std::string less = first_line(all.size() - 1);
  EXPECT_THAT(less, testing::Not(HasSubstr("mce")));
  EXPECT_THAT(less, HasSubstr("to target"));
  EXPECT_LT(less.size(), all.size());
  const std::string least = first_line(10);
  for (const char* kept : {"method", "accuracy", "surest 90 %", "ece"}) EXPECT_THAT(least, HasSubstr(kept));
  for (const char* gone : {"mce", "to target", "rounds", "seconds", "bytes"})
    EXPECT_THAT(least, testing::Not(HasSubstr(gone)));
}

TEST(Compare, TheLineStandsUnderItsTableAndInTheJson) {
  const Comparison comparison = compare(two_methods());
  const std::string line = "best accuracy: dsvgd, 0.2700 ± 0.0100 better than fedavg";
  EXPECT_THAT(comparison_text(comparison, false), HasSubstr("\n" + line + "\n"));
  EXPECT_EQ(nlohmann::json::parse(comparison_json(comparison))["outcomes"]["twonorm"], line);
  Comparison all;
  append_run(all, comparison, "runs/a");
  EXPECT_EQ(all.outcomes.at("runs/a: twonorm"), line);
}

TEST(Compare, SeveralRunsStandInOneTable) {
  Comparison all;
  append_run(all, compare(two_methods()), "runs/a");
  RunResult other;
  other.cases.push_back(made_up_case("kin8nm", {}, {made_up_method("dsvgd", "rmse", {{0.5, 0.4}})}));
  append_run(all, compare(other), "runs/b");
  EXPECT_THAT(all.figures, ElementsAre("accuracy", "rmse"));
  ASSERT_EQ(all.rows.size(), 3U);
  EXPECT_EQ(all.rows[0].case_name, "runs/a: twonorm");
  EXPECT_EQ(all.rows[2].case_name, "runs/b: kin8nm");
}

TEST(Compare, OneTrialHasNoStandardError) {
  RunResult result = two_methods();
  result.cases[0].methods[1].trials.resize(1);
  const auto json = nlohmann::json::parse(comparison_json(compare(result)));
  EXPECT_NEAR(json["rows"][0]["figures"]["accuracy"]["standard_error"].get<double>(), 0.01, 1e-12);
  EXPECT_TRUE(json["rows"][1]["figures"]["accuracy"]["standard_error"].is_null());
}

TEST(Compare, AFailedTrialIsNotHidden) {
  RunResult result = two_methods();
  result.cases[0].methods[1].trials[0].status = JobStatus::kFailed;
  EXPECT_THAT(comparison_text(compare(result), false), HasSubstr("fedavg (failed)"));
}

}  // namespace
}  // namespace fedstein
