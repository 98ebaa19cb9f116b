// SPDX-License-Identifier: Apache-2.0
// What the agents' bin counts say together: nobody's rows, everybody's reliability diagram.
#pragma once

#include <optional>

#include "fedstein/metrics/calibration.h"
#include "fedstein/serving/desk_status.h"

namespace fedstein {

struct FederatedCalibration {
  Index version = 0;  // of the belief that was judged
  std::int64_t rows = 0;
  double accuracy = 0;
  double expected_error = 0;
  double maximum_error = 0;
  std::vector<ReliabilityBin> bins = {};
};

// Of the belief that most agents have judged, over the agents that have judged it; nothing before the first.
std::optional<FederatedCalibration> federated_calibration(const DeskStatus& desk);

}  // namespace fedstein
