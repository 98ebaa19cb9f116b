// SPDX-License-Identifier: Apache-2.0
// What predictions for test rows add up to. Sums of different rows add up as well, so rows that lie in many places give
// the figures of all of them without being shown.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fedstein/metrics/reliability_bin.h"

namespace fedstein {

struct EvaluationSums {
  std::int64_t rows = 0;
  double log_likelihood = 0;  // of the rows' labels or targets, in the target's own unit
  // Of a classifier.
  std::vector<ReliabilityBin> bins = {};  // their counts add up to `rows`; empty: a regression's sums
  double brier = 0;
  // Of a regression, in the target's own unit. Of `intervals` rows a 95 % interval is known, which is all or none, and
  // `covered` of them have their target in it.
  double squared_error = 0;
  std::int64_t intervals = 0;
  std::int64_t covered = 0;

  // Both must be a classifier's with as many bins, or both a regression's.
  EvaluationSums& operator+=(const EvaluationSums& other);
};

// `rows`, `log_likelihood`, and of a classifier `accuracy`, `ece`, `mce`, `brier` and `confidence`, of a regression
// `rmse` and, where intervals are known, `coverage`: named and defined as those of an Evaluation. Needs a row.
std::map<std::string, double> figures_of(const EvaluationSums& sums);

// What sums from elsewhere must be.
struct EvaluationShape {
  Index bins = 0;  // of a classifier; 0: a regression
  Index fewest_rows = 1;
  Index most_rows = 0;
};

// Why no test rows of this shape can have these sums, as the end of a sentence; empty: some can.
std::string objection_to(const EvaluationSums& sums, const EvaluationShape& shape);

}  // namespace fedstein
