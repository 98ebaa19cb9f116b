// SPDX-License-Identifier: Apache-2.0
// What jobs leave beside their rounds (experiment/job_details.h), as the page draws it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fedstein/experiment/results.h"

namespace fedstein {

// null where the job left none, or what cannot be read.
nlohmann::json detail_of(const RunStore& store, JobId job, const std::string& name);

// [mean, standard error]; the error of a single trial is null.
nlohmann::json estimate_json(const Estimate& estimate);

// A list each, of all cases and methods that left something: `abstention` and `coverage` are means over trials,
// `predicted`, `layers` and `coefficients` those of the first trial.
struct DetailsJson {
  nlohmann::json abstention = nlohmann::json::array();
  nlohmann::json coverage = nlohmann::json::array();
  nlohmann::json predicted = nlohmann::json::array();
  nlohmann::json layers = nlohmann::json::array();
  nlohmann::json coefficients = nlohmann::json::array();
};
DetailsJson details_json(const RunStore& store, const RunResult& result);

}  // namespace fedstein
