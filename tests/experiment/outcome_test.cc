// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/made_up_results.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

// One round, a value for each trial.
MethodResult method(const std::string& label,
                    const std::vector<double>& values,
                    const std::string& figure = "log_likelihood") {
  std::vector<std::vector<double>> curves;
  for (const double value : values) curves.push_back({value});
  return made_up_method(label, figure, curves);
}

std::string line_of(const std::vector<MethodResult>& methods) {
  return outcome_line(made_up_case("case", {}, methods));
}

// Trial by trial 0.1, 0.1 and 0.13 apart: the trials' own differences do not count.
TEST(OutcomeLine, NamesTheBestAndItsLeadWithThePairedError) {
  EXPECT_EQ(line_of({method("fedavg", {-0.4, -0.6, -0.83}), method("ours", {-0.3, -0.5, -0.7})}),
            "best log-likelihood: ours, 0.1100 ± 0.0100 better than fedavg");
}

TEST(OutcomeLine, SaysWhoWinsWhoeverItIs) {
  EXPECT_THAT(
      line_of({method("c-dsvgd", {-0.5, -0.5}), method("scaffold", {-0.2, -0.2}), method("fedavg", {-0.4, -0.4})}),
      HasSubstr("best log-likelihood: scaffold, 0.2000 ± 0.0000 better than fedavg"));
}

TEST(OutcomeLine, WhatChanceExplainsIsLevel) {
  EXPECT_EQ(line_of({method("a", {-0.5, -0.3}), method("b", {-0.3, -0.52})}),
            "best log-likelihood: a and b level (0.0100 ± 0.2100 apart)");
  EXPECT_EQ(line_of({method("a", {-0.5}), method("b", {-0.5})}), "best log-likelihood: a and b level (0.0000 apart)");
}

TEST(OutcomeLine, OneTrialHasNoError) {
  EXPECT_EQ(line_of({method("a", {-0.5}), method("b", {-0.3})}), "best log-likelihood: b, 0.2000 better than a");
}

MethodResult central(const std::string& label, const std::vector<double>& values) {
  MethodResult out = method(label, values);
  out.centralised = true;
  return out;
}

TEST(OutcomeLine, SetsTheBestFederatedMethodBesideAllDataInOnePlace) {
  const std::vector<MethodResult> two = {method("fedavg", {-0.4, -0.42}), method("ours", {-0.3, -0.3})};
  const auto with = [&](const MethodResult& one) {
    std::vector<MethodResult> all = two;
    all.push_back(one);
    return line_of(all);
  };
  EXPECT_EQ(with(central("svgd", {-0.2, -0.22})),
            "best log-likelihood without moving data: ours, 0.1100 ± 0.0100 better than fedavg, "
            "0.0900 ± 0.0100 worse than svgd");
  EXPECT_EQ(with(central("svgd", {-0.35, -0.35})),
            "best log-likelihood: ours, 0.1100 ± 0.0100 better than fedavg, 0.0500 ± 0.0000 better than svgd");
  EXPECT_EQ(with(central("svgd", {-0.2, -0.38})),
            "best log-likelihood: ours, 0.1100 ± 0.0100 better than fedavg, level with svgd");
}

TEST(OutcomeLine, WithOneFederatedMethodTheOrderIsOfAll) {
  EXPECT_EQ(line_of({method("ours", {-0.3, -0.3}), central("svgd", {-0.1, -0.1}), central("sgld", {-0.2, -0.2})}),
            "best log-likelihood: svgd, 0.1000 ± 0.0000 better than sgld");
  EXPECT_EQ(line_of({central("svgd", {-0.1, -0.1}), central("sgld", {-0.2, -0.2})}),
            "best log-likelihood: svgd, 0.1000 ± 0.0000 better than sgld");
}

TEST(OutcomeLine, SaysHowOftenTheBestIsRightWhereItIsSure) {
  MethodResult ours = method("ours", {-0.3});
  MethodResult worse = method("worse", {-0.4});
  for (MethodResult* one : {&ours, &worse}) {
    auto& figures = one->trials[0].rounds.back().figures;
    figures["answered@0.1"] = one == &ours ? 0.875 : 0.75;
    figures["answered@0.25"] = 0.99;
    figures["answered@0"] = 0.8;
  }
  EXPECT_EQ(line_of({worse, ours}),
            "best log-likelihood: ours, 0.1000 better than worse; surest 90 % of rows: 87.5 % right");
}

TEST(OutcomeLine, FallsBackOnTheFigureThatThereIs) {
  EXPECT_EQ(line_of({method("a", {0.5}, "rmse"), method("b", {0.3}, "rmse")}), "best RMSE: b, 0.2000 better than a");
  EXPECT_EQ(line_of({method("a", {0.5}, "accuracy"), method("b", {0.3}, "accuracy")}),
            "best accuracy: a, 0.2000 better than b");
}

TEST(OutcomeLine, AMethodThatFailedInATrialHasNoPlace) {
  MethodResult broken = method("broken", {-0.1, -0.1});
  broken.trials[1].rounds.clear();
  EXPECT_THAT(line_of({broken, method("a", {-0.5, -0.5}), method("b", {-0.4, -0.4})}), HasSubstr("b, 0.1000"));
  EXPECT_EQ(line_of({broken, method("a", {-0.5, -0.5})}), "");
  EXPECT_EQ(line_of({method("a", {-0.5})}), "");
  EXPECT_EQ(line_of({}), "");
}

}  // namespace
}  // namespace fedstein
