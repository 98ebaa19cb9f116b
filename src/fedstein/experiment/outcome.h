// SPDX-License-Identifier: Apache-2.0
// What to see in a comparison, in one line formed from its numbers.
#pragma once

#include <string>
#include <vector>

#include "fedstein/experiment/results.h"

namespace fedstein {

// Of figures answered@SHARE the one that tables and lines speak of: of a tenth of the rows, else the only one of more
// than none. Empty: there is none, or a curve.
std::string told_answered(const std::vector<std::string>& figures);

// Of one case: which method has the best figure (log-likelihood, else accuracy, RMSE or KL) and by how much, the
// standard error being that of the trials' differences; how the best of those that leave data where they are compares
// with the best that sees all in one place; and, where the least sure rows were left out, how often it is right on the
// others. Methods that are less than two standard errors apart are said to be level. Empty with fewer than two methods
// that have such a figure in every trial.
std::string outcome_line(const CaseResult& case_result);

}  // namespace fedstein
