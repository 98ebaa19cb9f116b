// SPDX-License-Identifier: Apache-2.0
// Methods side by side: what each reached, at what cost, and how soon.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fedstein/experiment/results.h"
#include "fedstein/experiment/table.h"
#include "fedstein/experiment/verdicts.h"

namespace fedstein {

struct ComparisonRow {
  std::string case_name = {};
  std::string label = {};
  std::map<std::string, Estimate> final_figures = {};  // of the last evaluated round
  Index trials = 0;
  Index failed = 0;  // trials that ended with an error
  Index rounds = 0;
  double bytes = 0;                            // exchanged by one trial
  double seconds = 0;                          // of one trial
  std::optional<Index> rounds_to_target = {};  // from that round on the target is held
  std::optional<double> bytes_to_target = {};
  MethodVerdict verdict = {};
};

struct ComparisonOptions {
  // A figure and the value to reach: "accuracy", 0.7. An empty name: 95 % of the best final accuracy of the case, or,
  // where less is better, 105 % of its least.
  std::string target_figure = {};
  double target = 0;
};

struct Comparison {
  std::vector<std::string> figures = {};             // that occur, in the usual order
  std::vector<ComparisonRow> rows = {};              // by case, then in the order of the configuration
  std::map<std::string, std::string> outcomes = {};  // of each case with two methods or more: what to see, in one line
};

Comparison compare(const RunResult& result, const ComparisonOptions& options = {});
// Several runs in one table: the run's name goes before the name of each of its cases.
void append_run(Comparison& all, Comparison one, const std::string& run);

// Of a table whose reader's terminal nobody knows.
inline constexpr std::size_t kTableWidth = 120;

// One table per case, the best of each figure marked; under it what to see in it and what became of the methods. A
// table that is wider than `width` goes without MCE, rounds to the target, rounds, seconds and bytes, in this order.
std::string comparison_text(const Comparison& comparison, bool rich, std::size_t width = kTableWidth);
std::string comparison_json(const Comparison& comparison);

}  // namespace fedstein
