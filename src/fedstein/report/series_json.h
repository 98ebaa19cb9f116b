// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "fedstein/experiment/results.h"

namespace fedstein {

// One method in one case, over its trials: a mean and a standard error per evaluated round. Like mean_curve, a figure's
// rounds are those that as many trials have as have any, so that a curve does not jump where a trial ended early.
nlohmann::json series_json(const RunResult& result, std::size_t case_index, const MethodResult& method);

// Agents of the case's federation: the rounds know, whatever the partition.
Index agents_of(const RunResult& result, std::size_t case_index);

}  // namespace fedstein
