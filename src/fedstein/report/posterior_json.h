// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "fedstein/experiment/results.h"

namespace fedstein {

struct PosteriorJson {
  nlohmann::json one_dimension = nlohmann::json::array();
  nlohmann::json two_dimensions = nlohmann::json::array();
};

// The toys' posteriors, round by round, of each method's first trial: the exact one, what each agent alone would
// believe (in one dimension), and the stored densities of the methods, on the grid they were stored on.
PosteriorJson posterior_json(const RunStore& store, const RunResult& result);

}  // namespace fedstein
