// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federated_calibration.h"

#include <gtest/gtest.h>

namespace fedstein {
namespace {

DeskStatus desk_of(const std::vector<CalibrationCounts>& agents) {
  DeskStatus desk;
  for (const CalibrationCounts& counts : agents) {
    desk.agents.emplace_back();
    desk.agents.back().calibration = counts;
  }
  return desk;
}

const CalibrationCounts kFirst{.version = 3, .bins = {{10, 4, 4.5}, {30, 27, 25}}};
const CalibrationCounts kSecond{.version = 3, .bins = {{2, 1, 0.5}, {6, 3, 5}}};

TEST(FederatedCalibration, IsTheDiagramOfAllRowsTogether) {
  const auto found = federated_calibration(desk_of({kFirst, kSecond, {}}));
  ASSERT_TRUE(found);
  ReliabilityBins sum = ReliabilityBins::from_bins(kFirst.bins);
  sum += ReliabilityBins::from_bins(kSecond.bins);
  EXPECT_EQ(found->version, 3);
  EXPECT_EQ(found->rows, 48);
  EXPECT_DOUBLE_EQ(found->accuracy, 35.0 / 48);
  EXPECT_EQ(found->expected_error, sum.expected_error());
  EXPECT_EQ(found->maximum_error, sum.maximum_error());
  EXPECT_EQ(found->bins[1].count, 36);
}

TEST(FederatedCalibration, LeavesOutWhatCannotBe) {
  const CalibrationCounts wrong_edges{.version = 3, .bins = {{10, 4, 9.9}, {0, 0, 0}}};
  const CalibrationCounts more_right_than_rows{.version = 3, .bins = {{1, 2, 0.3}, {0, 0, 0}}};
  const CalibrationCounts more_bins{.version = 3, .bins = {{0, 0, 0}, {0, 0, 0}, {1, 1, 0.9}}};
  const auto found = federated_calibration(desk_of({kFirst, wrong_edges, more_right_than_rows, more_bins}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rows, 40);
}

TEST(FederatedCalibration, IsOfTheBeliefThatMostAgentsHaveJudged) {
  CalibrationCounts newer = kSecond;
  newer.version = 4;
  EXPECT_EQ(federated_calibration(desk_of({kFirst, kSecond, newer}))->version, 3);
  EXPECT_EQ(federated_calibration(desk_of({kFirst, newer}))->version, 4);
  EXPECT_FALSE(federated_calibration(desk_of({{}, {}})));
}

}  // namespace
}  // namespace fedstein
