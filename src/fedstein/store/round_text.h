// SPDX-License-Identifier: Apache-2.0
// A round and its lists as JSON, for one column each.
#pragma once

#include <string>
#include <vector>

#include "fedstein/federated/observer.h"

namespace fedstein {

std::string agents_to_text(const std::vector<Index>& agents);
std::string failures_to_text(const std::vector<Failure>& failures);
// The whole round, every number to its last bit.
std::string record_to_text(const RoundRecord& record);

// Throw StoreError for text that the functions above did not write.
std::vector<Index> agents_from_text(const std::string& text);
std::vector<Failure> failures_from_text(const std::string& text);
RoundRecord record_from_text(const std::string& text);

}  // namespace fedstein
