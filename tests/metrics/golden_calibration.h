// SPDX-License-Identifier: Apache-2.0
// The golden kind `calibration`: accuracy, log-likelihood, Brier score, ECE and MCE of one table of probabilities.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "fedstein/metrics/calibration.h"
#include "fedstein/metrics/classification.h"
#include "support/close.h"

namespace fedstein {

inline void check_calibration(const nlohmann::json& golden_case) {
  ASSERT_EQ(golden_case.at("case"), "calibration");
  const auto rows = golden_case.at("probabilities").get<std::vector<std::vector<double>>>();
  const auto labels = golden_case.at("labels").get<std::vector<Index>>();
  ASSERT_FALSE(rows.empty());
  Matrix probabilities(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ASSERT_EQ(rows[row].size(), rows[0].size()) << "row " << row;
    for (std::size_t k = 0; k < rows[row].size(); ++k) {
      probabilities(static_cast<Index>(row), static_cast<Index>(k)) = static_cast<Real>(rows[row][k]);
    }
  }
  const auto expected = [&](const char* key) { return golden_case.at(key).get<double>(); };
  const ReliabilityBins bins(probabilities, labels, golden_case.at("bins").get<Index>());
  EXPECT_TRUE(close(accuracy(probabilities, labels), expected("accuracy"))) << kAccuracyConvention;
  EXPECT_TRUE(close(mean_log_likelihood(probabilities, labels), expected("log_likelihood")));
  EXPECT_TRUE(close(brier(probabilities, labels), expected("brier"))) << kBrierConvention;
  EXPECT_TRUE(close(bins.expected_error(), expected("ece"))) << bins.describe();
  EXPECT_TRUE(close(bins.maximum_error(), expected("mce"))) << bins.describe();
}

}  // namespace fedstein
