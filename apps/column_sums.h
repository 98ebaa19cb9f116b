// SPDX-License-Identifier: Apache-2.0
// Sums over an agent's columns, as they travel: what all agree on one scaling by, without showing a row.
#pragma once

#include <string>
#include <vector>

#include "fedstein/data/scaling.h"

namespace fedstein {

// Whether a rule looks at no row: then nothing has to travel.
bool is_fixed(ScalingRule rule);

std::string column_sums_bytes(const ColumnStatistics& statistics);

// Of all agents together. Throws BadState for bytes that are damaged or of other columns.
ColumnStatistics merged_column_sums(const std::vector<std::string>& of_each_agent, Index columns);

}  // namespace fedstein
