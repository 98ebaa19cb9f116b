// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "fedstein/experiment/results.h"

namespace fedstein {

// What was asked in each case and what came out: its dataset, model and split in words, how many rows there were, who
// is ahead by how much, and what a guess would have reached.
nlohmann::json cases_json(const RunStore& store, const RunResult& result);

}  // namespace fedstein
