// SPDX-License-Identifier: Apache-2.0
// Who came out ahead in a case, and whether the lead is more than chance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/experiment/results.h"

namespace fedstein {

struct StandingEntry {
  std::string label = {};
  Estimate value = {};
};

// Methods are ranked by their mean after the last evaluated round. What federations compete with is told beside them
// and wins nothing: methods that see all rows in one place, and those that know one agent's rows only. Where nothing
// else ran, they are ranked.
struct Standing {
  std::string figure = {};                 // log_likelihood; where nobody has it accuracy, rmse or kl
  std::vector<StandingEntry> ranked = {};  // the best first
  // By how much the best is better than the second, and the standard error of that: of the differences trial by trial,
  // because all methods of a trial have the same rows. Over the trials that both finished; absent without a second.
  std::optional<Estimate> margin = {};
  std::vector<StandingEntry> beside = {};  // not ranked, the best first
  std::vector<std::string> left_out = {};  // labels: a trial failed, or its figure is not finite
};

// Nothing where no method has a figure to be ranked by.
std::optional<Standing> standing_of(const CaseResult& case_result);

}  // namespace fedstein
