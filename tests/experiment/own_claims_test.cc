// SPDX-License-Identifier: Apache-2.0
// The second column of the claims: c-dsvgd with fedstein's own settings.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "experiment/made_up_results.h"
#include "fedstein/config/own_names.h"
#include "fedstein/config/parse.h"
#include "fedstein/experiment/catalogue.h"
#include "fedstein/experiment/claims.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::vector<double>> steady(double value) {
  return {std::vector<double>(24, value)};
}

// Centralised SVGD at 0.9, and these two methods.
ClaimResult feature_skew(const std::string& run, double dsvgd, double ours) {
  RunResult result;
  result.plan.name = run;
  result.plan.claims = {"C13"};
  result.cases.push_back(made_up_case("feature-skew",
                                      {},
                                      {made_up_method("svgd", "accuracy", steady(0.9)),
                                       made_up_method("dsvgd", "accuracy", steady(dsvgd)),
                                       made_up_method("dsvgd reference", "accuracy", steady(0.6)),
                                       made_up_method("c-dsvgd", "accuracy", steady(ours))}));
  return check_claims(result).at(0);
}

TEST(OwnClaims, AreAboutCDsvgd) {
  const ClaimResult own = feature_skew("feature-skew-own", 0.5, 0.9);
  EXPECT_TRUE(own.holds);
  EXPECT_TRUE(own.own);
  EXPECT_THAT(own.figures, HasSubstr("c-DSVGD 0.9000"));
  EXPECT_FALSE(feature_skew("feature-skew-own", 0.9, 0.5).holds);
  const ClaimResult paper = feature_skew("feature-skew", 0.9, 0.5);
  EXPECT_TRUE(paper.holds);
  EXPECT_FALSE(paper.own);
}

// Which part that is stands in the claim, before any figure is seen.
TEST(OwnClaims, SayWhichPartDoesNotApply) {
  EXPECT_THAT(feature_skew("feature-skew-own", 0.9, 0.9).figures, HasSubstr("; does not apply: `reference`"));
  EXPECT_THAT(feature_skew("feature-skew", 0.9, 0.9).figures, Not(HasSubstr("does not apply")));
}

// Results in which only c-dsvgd and rivals are: nothing that a claim asks of them may be missing.
TEST(OwnClaims, AskForNothingThatOwnVersionsLack) {
  for (const CatalogueEntry& entry : catalogue()) {
    SCOPED_TRACE(entry.name);
    const Plan plan = parse_plan(entry.document, entry.name, {.check_data = false, .own_version = true});
    EXPECT_EQ(plan.name, own_version_of(entry.name));
    RunResult result{.plan = plan};
    for (const CasePlan& each : plan.cases) {
      CaseResult made = made_up_case(each.name, each.coordinates, {});
      for (const AlgorithmPlan& algorithm : each.algorithms) {
        MethodResult method = made_up_method(algorithm.label, "accuracy", steady(0.8));
        for (RoundRecord& round : method.trials.front().rounds) {
          for (const char* figure : {"log_likelihood", "kl", "kl@0.1", "rmse", "mce"}) round.figures[figure] = 0.1;
        }
        made.methods.push_back(std::move(method));
      }
      result.cases.push_back(std::move(made));
    }
    const std::vector<ClaimResult> checked = check_claims(result);
    EXPECT_EQ(checked.size(), plan.claims.size());
    for (const ClaimResult& claim : checked) {
      EXPECT_TRUE(claim.own);
      EXPECT_THAT(claim.figures, Not(HasSubstr("cannot be judged"))) << claim.name;
    }
  }
}

TEST(OwnClaims, StandBesideThePapers) {
  const std::vector<ClaimResult> both = {{"C9", "ahead", "0.1 and 0.2", false, "one", false},
                                         {"C9", "ahead", "0.3 and 0.4", true, "two", false},
                                         {"C9", "ahead", "0.5 and 0.6", true, "one", true}};
  EXPECT_EQ(claims_text(both, false),
            "     paper's settings  fedstein's own    claim\n"
            "C9   FAILS             holds             ahead\n"
            "     paper's settings  0.1 and 0.2\n"
            "     fedstein's own    0.5 and 0.6\n"
            "C9   holds             not run           ahead\n"
            "     paper's settings  0.3 and 0.4\n");
  const auto json = nlohmann::json::parse(claims_json(both));
  EXPECT_EQ(json[0]["settings"], "paper");
  EXPECT_EQ(json[2]["settings"], "fedstein");
}

TEST(OwnClaims, SayWhoseSettingsWhenAlone) {
  EXPECT_EQ(claims_text({{"C9", "ahead", "0.5 and 0.6", true, "one", true}}, false),
            "fedstein's own settings, c-dsvgd in DSVGD's place:\n"
            "C9   holds  ahead\n"
            "            0.5 and 0.6\n");
}

}  // namespace
}  // namespace fedstein
