// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a run: each function knows one thing, and says nothing where all is well. The sentences lack
// the verdict's name, which judge_run() puts before them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/evaluation/run_verdict.h"
#include "fedstein/evaluation/trend.h"

namespace fedstein {

// The figure that is judged: more of `curve` is better.
struct JudgedFigure {
  std::string figure;
  std::string words;
  std::string prefix;  // of the other figures on the same rows
  bool less_is_better = false;
  Curve curve;
};

// Three digits, and "20 rounds".
std::string short_text(double value);
std::string rounds_text(Index count);

// Most of the last fifth of the rounds changed nothing.
std::optional<RunVerdict> lost_at_the_end(const std::vector<RoundRecord>& records, const JudgeOptions& options);
// The particles lie on one place.
std::optional<RunVerdict> collapse_of(const std::vector<RoundRecord>& records, const JudgeOptions& options);
// The figure lies below what it had reached. trend: of its last fifth.
std::optional<RunVerdict> fall_of(const std::vector<RoundRecord>& records,
                                  const JudgedFigure& judged,
                                  const Trend& trend,
                                  const JudgeOptions& options);
// The log-likelihood on test rows is that of whoever knows only how frequent each class is, or the targets' mean and
// variance.
std::optional<RunVerdict> no_better_than_guessing(const std::vector<RoundRecord>& records, const JudgeOptions& options);

}  // namespace fedstein
