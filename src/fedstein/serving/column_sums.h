// SPDX-License-Identifier: Apache-2.0
// Sums over an agent's columns: what a federation agrees on one scaling by. An agent's own sums go to the server and to
// nobody else; agents receive the total of all. docs/security.md says what that shows to whom.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fedstein/config/plan.h"
#include "fedstein/data/scaling.h"
#include "fedstein/exchange/journal.h"
#include "fedstein/exchange/letters.h"

namespace fedstein {

// Sums over fewer rows than this would nearly be those rows.
inline constexpr Index kLeastRowsForSums = 10;

// Which columns travel: every feature, and a regression's target where that is scaled too. Class labels never do.
struct SummedColumns {
  Index features = 0;
  bool target = false;
  Index count() const { return features + (target ? 1 : 0); }
};
SummedColumns summed_columns(Index features, LabelKind labels);

// Whether a rule looks at no row: then nothing has to travel.
bool is_fixed(ScalingRule rule);
// The scaling of such a rule.
Scaling fixed_scaling(const DatasetPlan& plan, Index features);
// Why a rule cannot be agreed on by sums; empty: it can.
std::string objection_to_sums_for(ScalingRule rule);

// Rows, means and sums of squared differences; neither least nor greatest values. Throws InvalidArgument for too few
// rows.
std::string column_sums_bytes(const ColumnStatistics& statistics, const SummedColumns& columns);

// As make_scaling() takes them: p + 1 columns, whose bounds tell only whether a column is constant. Throws BadState.
ColumnStatistics column_sums_from(const std::string& bytes, const SummedColumns& columns);

// Why an agent that enrols cannot have such sums; empty: it can. `enrolled`: those that came before it, which must all
// have sums, or all none (a simulated federation).
std::string sums_objection(const AgentFacts& facts,
                           const SummedColumns& columns,
                           const std::map<Index, Enrolment>& enrolled);

// Of all agents together. Throws DataError naming the agent whose columns are of quite another size than the others'.
std::string total_of_sums(const std::vector<std::string>& of_each_agent,
                          const SummedColumns& columns,
                          const std::vector<std::string>& names);

}  // namespace fedstein
