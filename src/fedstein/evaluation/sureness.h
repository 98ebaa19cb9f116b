// SPDX-License-Identifier: Apache-2.0
// Whether predictions are surer than they are right, as far as the rows that they were held against can tell. `prefix`:
// of the figures, "validation_" for rows that agents kept back, "" for test rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/evaluation/run_verdict.h"

namespace fedstein {

// The number of rows that the figures were taken from; without end where nobody counted.
double rows_of(const std::vector<RoundRecord>& records, const std::string& prefix);
// Whether predictions are known to be less sure than they are right: then their fall has another reason.
bool is_modest(const std::vector<RoundRecord>& records, const std::string& prefix);
// The verdict that predictions of the last evaluated round, on kept-back or on test rows, are too sure; or nothing.
std::optional<RunVerdict> surer_than_right(const std::vector<RoundRecord>& records);
// The verdict that they are not sure enough; or nothing.
std::optional<RunVerdict> less_sure_than_right(const std::vector<RoundRecord>& records);

}  // namespace fedstein
