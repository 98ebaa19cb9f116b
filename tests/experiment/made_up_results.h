// SPDX-License-Identifier: Apache-2.0
// Results with known numbers, for what is computed from results.
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/results.h"

namespace fedstein {

// values[trial][round - 1]; every round 10 bytes down, 20 up, 0.5 seconds.
inline MethodResult made_up_method(const std::string& label,
                                   const std::string& figure,
                                   const std::vector<std::vector<double>>& values) {
  MethodResult method{.label = label, .method = label};
  for (const auto& curve : values) {
    TrialResult trial;
    trial.trial = static_cast<Index>(method.trials.size()) + 1;
    trial.status = JobStatus::kDone;
    for (const double value : curve) {
      RoundRecord record;
      record.round = static_cast<Index>(trial.rounds.size()) + 1;
      record.bytes_down = 10;
      record.bytes_up = 20;
      record.seconds = 0.5;
      record.figures[figure] = value;
      trial.rounds.push_back(record);
    }
    method.trials.push_back(std::move(trial));
  }
  return method;
}

inline CaseResult made_up_case(const std::string& name,
                               const std::vector<std::pair<std::string, std::string>>& coordinates,
                               const std::vector<MethodResult>& methods) {
  return {.name = name, .coordinates = coordinates, .methods = methods};
}

}  // namespace fedstein
