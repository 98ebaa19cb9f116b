// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiment/made_up_results.h"

namespace fedstein {
namespace {

TEST(Results, AnEstimateHasTheStandardErrorOfTheMean) {
  const Estimate estimate = estimate_of({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(estimate.mean, 3);
  EXPECT_DOUBLE_EQ(estimate.error, std::sqrt(14.0 / 3 / 4));
  EXPECT_EQ(estimate.trials, 4);
  EXPECT_EQ(estimate_of({5}).error, 0);
  EXPECT_TRUE(std::isnan(estimate_of({}).mean));
}

TEST(Results, ValuesAreTakenAtARoundOrAtTheEnd) {
  const MethodResult method = made_up_method("dsvgd", "accuracy", {{0.5, 0.6, 0.8}, {0.5, 0.8, 0.6}});
  EXPECT_EQ(values_at(method, "accuracy"), (std::vector<double>{0.8, 0.6}));
  EXPECT_EQ(values_at(method, "accuracy", 2), (std::vector<double>{0.6, 0.8}));
  EXPECT_TRUE(values_at(method, "rmse").empty());
  EXPECT_EQ(mean_curve(method, "accuracy").size(), 3U);
}

TEST(Results, RoundsToATargetAreCountedOnTheMean) {
  const MethodResult method = made_up_method("dsvgd", "accuracy", {{0.5, 0.6, 0.8}, {0.5, 0.8, 0.9}});
  EXPECT_EQ(rounds_to_hold(method, "accuracy", 0.7), 2);
  EXPECT_EQ(rounds_to_hold(method, "accuracy", 0.86), std::nullopt);
  const MethodResult falling = made_up_method("dsvgd", "rmse", {{3, 2, 1}});
  EXPECT_EQ(rounds_to_hold(falling, "rmse", 2), 2);
}

TEST(Results, ATargetThatIsLostAgainWasReachedAndNotHeld) {
  const MethodResult method = made_up_method("dsvgd", "accuracy", {{0.5, 0.8, 0.6999, 0.7, 0.9}});
  EXPECT_EQ(rounds_to_reach(method, "accuracy", 0.7), 2);
  EXPECT_EQ(rounds_to_hold(method, "accuracy", 0.7), 4) << "a dip of a hair is a dip";
  EXPECT_EQ(rounds_to_hold(method, "accuracy", 0.6), 2);
  const MethodResult lost = made_up_method("dsvgd", "accuracy", {{0.9, 0.9, 0.5}});
  EXPECT_EQ(rounds_to_reach(lost, "accuracy", 0.7), 1);
  EXPECT_EQ(rounds_to_hold(lost, "accuracy", 0.7), std::nullopt);
  const MethodResult less = made_up_method("dsvgd", "rmse", {{3, 1, 2, 1, 1}});
  EXPECT_EQ(rounds_to_hold(less, "rmse", 1), 4);
  const MethodResult broken = made_up_method("dsvgd", "accuracy", {{0.9, 0.9, std::nan("")}});
  EXPECT_EQ(rounds_to_hold(broken, "accuracy", 0.7), std::nullopt);
}

TEST(Results, BytesAreThoseOfOneTrial) {
  MethodResult method = made_up_method("dsvgd", "accuracy", {{0.5, 0.6, 0.8}, {0.5, 0.8, 0.9}});
  EXPECT_EQ(bytes_until(method, 2), 2 * 30);  // 10 down and 20 up a round
  method.centralised = true;
  EXPECT_EQ(bytes_until(method, 2), 0);
}

}  // namespace
}  // namespace fedstein
