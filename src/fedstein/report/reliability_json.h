// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "fedstein/experiment/results.h"

namespace fedstein {

// The reliability diagram of a method's last judged round, its bins summed over trials; null where none is stored.
nlohmann::json reliability_json(const RunStore& store, std::size_t case_index, const MethodResult& method);
// One diagram as a page draws it; null where no bin has a row.
nlohmann::json reliability_json(std::size_t case_index,
                                const std::string& label,
                                Index round,
                                const std::vector<ReliabilityBin>& bins);

}  // namespace fedstein
