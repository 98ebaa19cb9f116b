// SPDX-License-Identifier: Apache-2.0
// What claims are made of: finding the curves they speak of, and saying which numbers decided.
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/base/error.h"
#include "fedstein/experiment/results.h"

namespace fedstein {

// A run without what a claim is about.
class NothingToJudge : public ErrorOf<ErrorKind::kArgument> {
 public:
  using ErrorOf::ErrorOf;
};

using Coordinates = std::vector<std::pair<std::string, std::string>>;

// The cases that have all of these coordinates.
std::vector<const CaseResult*> cases_where(const RunResult& result, const Coordinates& wanted);
// The only one; NothingToJudge when there is none.
const CaseResult& case_where(const RunResult& result, const Coordinates& wanted);
const MethodResult& method_in(const CaseResult& case_result, const std::string& label);

// Mean over trials; NothingToJudge when no trial has the figure there.
double final_mean(const CaseResult& case_result, const std::string& label, const std::string& figure);
double mean_at(const CaseResult& case_result, const std::string& label, const std::string& figure, Index round);
// Mean over the last `count` evaluated rounds.
double mean_of_last(const CaseResult& case_result,
                    const std::string& label,
                    const std::string& figure,
                    std::size_t count);

double median(std::vector<double> values);
// "0.0312", and "never" for rounds that were not reached.
std::string number(double value);
std::string rounds_text(const std::optional<Index>& rounds);

}  // namespace fedstein
