// SPDX-License-Identifier: Apache-2.0
// What nobody learns from: the unseen class and group, and the sets of foreign rows.
#pragma once

#include <string>
#include <vector>

#include "fedstein/config/resolve_data.h"

namespace fedstein {

// experiment.unseen_class and unseen_group, into the facts' plan.
void resolve_set_aside(const Point& point, DatasetFacts& facts, Resolution& resolution);
// What there is to divide among the agents.
DatasetFacts without_unseen_class(DatasetFacts facts);
// evaluation.unseen: those names that mean foreign rows for this dataset.
std::vector<std::string> resolve_unseen(const Point& point, const DatasetFacts& facts, Resolution& resolution);

}  // namespace fedstein
