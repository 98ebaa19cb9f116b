// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "fedstein/experiment/results.h"

namespace fedstein {

// What figures of the kind `map` draw: of each method that the store keeps a map of, its first trial's last round, as
// an array. Shares are whole numbers of thousandths, and rows have one y each, because a page holds thousands of them.
nlohmann::json map_json(const RunStore& store, const RunResult& result);

}  // namespace fedstein
