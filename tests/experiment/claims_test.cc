// SPDX-License-Identifier: Apache-2.0
// Every claim is shown results for which it holds and results for which it does not.
#include "fedstein/experiment/claims.h"

#include <gmock/gmock.h>

#include "experiment/made_up_results.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

std::vector<std::vector<double>> constant(double value, std::size_t rounds = 24) {
  return {std::vector<double>(rounds, value)};
}

ClaimResult check_one(RunResult result, const std::string& experiment, const std::string& claim) {
  result.plan.name = experiment;
  result.plan.claims = {claim};
  const auto checked = check_claims(result);
  EXPECT_EQ(checked.size(), 1U);
  return checked.at(0);
}

RunResult toy(double dsvgd) {
  RunResult result;
  result.cases.push_back(made_up_case("rounds",
                                      {{"case", "rounds"}},
                                      {made_up_method("svgd", "kl", constant(0.03)),
                                       made_up_method("dsvgd", "kl", constant(dsvgd)),
                                       made_up_method("u-dsvgd", "kl", constant(0.06)),
                                       made_up_method("pvi", "kl", constant(0.3)),
                                       made_up_method("gvi", "kl", constant(0.3))}));
  return result;
}

TEST(Claims, C1ComparesDivergences) {
  EXPECT_TRUE(check_one(toy(0.07), "toy-1d-kl", "C1").holds);
  const ClaimResult failed = check_one(toy(0.09), "toy-1d-kl", "C1");
  EXPECT_FALSE(failed.holds);
  EXPECT_THAT(failed.figures, HasSubstr("dsvgd 0.0900"));
}

RunResult covertype(const std::vector<double>& dsvgd, const std::vector<double>& released) {
  RunResult result;
  result.cases.push_back(made_up_case("covertype, K = 20",
                                      {{"dataset", "covertype"}, {"case", "K = 20"}},
                                      {made_up_method("dsvgd", "accuracy", {dsvgd}),
                                       made_up_method("fedavg", "accuracy", constant(0.72)),
                                       made_up_method("fedavg released", "accuracy", {released})}));
  return result;
}

TEST(Claims, C3CountsRounds) {
  EXPECT_TRUE(check_one(covertype({0.6, 0.71}, std::vector<double>(24, 0.5)), "blr-rounds", "C3").holds);
  // The rival needs 3 rounds, not 20.
  EXPECT_FALSE(check_one(covertype({0.6, 0.71}, {0.5, 0.6, 0.7}), "blr-rounds", "C3").holds);
  // Never reached.
  EXPECT_FALSE(check_one(covertype({0.6, 0.69}, std::vector<double>(24, 0.5)), "blr-rounds", "C3").holds);
}

RunResult skewed(double split) {
  RunResult result;
  for (const char* dataset : {"covertype", "twonorm"}) {
    for (const char* name : {"equal", "40/10"}) {
      const double value = std::string(name) == "equal" ? -0.5 : split;
      result.cases.push_back(made_up_case(std::string(dataset) + name,
                                          {{"dataset", dataset}, {"case", name}},
                                          {made_up_method("dsvgd", "log_likelihood", constant(value)),
                                           made_up_method("fedavg", "log_likelihood", constant(-0.6))}));
    }
  }
  return result;
}

TEST(Claims, C7ComparesTheTwoSplits) {
  EXPECT_TRUE(check_one(skewed(-0.52), "blr-heterogeneous", "C7").holds);
  EXPECT_FALSE(check_one(skewed(-0.54), "blr-heterogeneous", "C7").holds);
}

TEST(Claims, C12FindsDrift) {
  std::vector<double> steady(100, -0.07);
  std::vector<double> drifting = steady;
  for (std::size_t i = 60; i < 100; ++i) drifting[i] = -0.09;
  const auto run = [](const std::vector<double>& curve) {
    RunResult result;
    result.cases.push_back(made_up_case("twonorm", {}, {made_up_method("dsvgd", "log_likelihood", {curve})}));
    return result;
  };
  EXPECT_TRUE(check_one(run(steady), "no-drift", "C12").holds);
  EXPECT_FALSE(check_one(run(drifting), "no-drift", "C12").holds);
}

TEST(Claims, ResultsThatLackWhatAClaimIsAboutFailItAndSayWhy) {
  const ClaimResult result = check_one(RunResult{}, "toy-1d-kl", "C1");
  EXPECT_FALSE(result.holds);
  EXPECT_THAT(result.figures, HasSubstr("cannot be judged: the run has no case with case = rounds"));
}

TEST(Claims, EveryNumberFromOneToThirteenHasOne) {
  for (int number = 1; number <= 13; ++number) {
    const std::string name = "C" + std::to_string(number);
    const auto& all = claims();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Claim& claim) { return claim.name == name; })) << name;
  }
}

}  // namespace
}  // namespace fedstein
