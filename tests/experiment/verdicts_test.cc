// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/verdicts.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "experiment/made_up_results.h"
#include "fedstein/experiment/comparison.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;
using Kind = RunVerdict::Kind;

std::vector<double> at_rest() {
  std::vector<double> out(20, -0.3);
  out.front() = -0.4;  // it learned
  return out;
}
const std::vector<double> kRest = at_rest();

std::vector<double> rising() {
  std::vector<double> out;
  for (int i = 0; i < 20; ++i) out.push_back(-1 + 0.01 * i);
  return out;
}

MethodResult method(const std::string& label, const std::vector<std::vector<double>>& trials) {
  return made_up_method(label, "log_likelihood", trials);
}

std::string text_of(const std::vector<MethodResult>& methods) {
  RunResult result;
  result.cases.push_back(made_up_case("a case", {}, methods));
  return comparison_text(compare(result), false);
}

TEST(MethodVerdict, TheWorstTrialIsTold) {
  const MethodVerdict verdict = verdict_of(method("m", {kRest, rising(), kRest}));
  EXPECT_EQ(verdict.worst.kind, Kind::kImproving);
  EXPECT_EQ(verdict.trial, 2);
  EXPECT_THAT(verdict.text(), HasSubstr("(1 of 3 trials; this is trial 2)"));
  EXPECT_THAT(verdict_of(method("m", {kRest, kRest})).text(), HasSubstr("(2 of 2 trials)"));
  EXPECT_THAT(verdict_of(method("m", {kRest})).text(), Not(HasSubstr("trial")));
}

TEST(MethodVerdict, AFailedTrialIsNotJudged) {
  MethodResult failed = method("m", {kRest});
  failed.trials[0].status = JobStatus::kFailed;
  failed.trials[0].error = "the reason";
  EXPECT_EQ(verdict_of(failed).text(), "not judged: it failed: the reason");
  EXPECT_EQ(verdict_of(MethodResult{}).text(), "not judged: it has no trial");
}

TEST(MethodVerdict, UnderTheTableOneLineIsEnoughForAllThatConverged) {
  EXPECT_THAT(text_of({method("a", {kRest}), method("b", {kRest})}), HasSubstr("\nall methods converged\n"));
  EXPECT_THAT(text_of({method("a", {kRest})}), HasSubstr("\na: converged: the log-likelihood on test rows moved"));
  const std::string mixed = text_of({method("a", {kRest}), method("b", {rising()}), method("c", {{-1, -1}})});
  EXPECT_THAT(mixed, HasSubstr("\nb: still improving: the log-likelihood on test rows rises by 0.01 a round"));
  EXPECT_THAT(mixed, HasSubstr("\nconverged: a\nnot judged: c\n"));
  EXPECT_THAT(text_of({method("a", {{-1}}), method("b", {{-1}})}), HasSubstr("\nnot judged: at least 5 evaluated"));
}

TEST(MethodVerdict, TheJsonHasItToo) {
  RunResult result;
  result.cases.push_back(made_up_case("a case", {}, {method("a", {rising()})}));
  const auto json = nlohmann::json::parse(comparison_json(compare(result)))["rows"][0]["verdict"];
  EXPECT_EQ(json["kind"], "still improving");
  EXPECT_EQ(json["figure"], "log_likelihood");
  EXPECT_NEAR(json["per_round"].get<double>(), 0.01, 1e-9);
  EXPECT_EQ(json["trial"], 1);
}

}  // namespace
}  // namespace fedstein
