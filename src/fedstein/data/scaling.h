// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <span>
#include <string>
#include <vector>

#include "fedstein/data/dataset.h"

namespace fedstein {

// How features are brought to a common size before training.
enum class ScalingRule {
  kNone,          // as they are
  kUnitInterval,  // (x - min) / (max - min), into [0, 1] on the rows it was fitted to
  kStandardise,   // (x - mean) / deviation; regression targets too
  kPixel,         // x * 0.99 / 255 + 0.01: bytes into [0.01, 1], so that no input is exactly zero
  kFixed,         // (x - shift) / spread with numbers that somebody gives: no row is looked at
};

// What the rules need to know of some rows, per column of x and, last, for y; p + 1 values each, in double. Statistics
// of disjoint sets of rows merge into those of their union, so agents can agree on one scaling without showing a row.
struct ColumnStatistics {
  Index count = 0;
  DoubleVector mean;
  DoubleVector squares;  // sum of squared differences from the mean
  DoubleVector low;
  DoubleVector high;
};
ColumnStatistics column_statistics(const Dataset& dataset, std::span<const Index> rows);
ColumnStatistics merge(const ColumnStatistics& a, const ColumnStatistics& b);

// x -> (x - shift) / spread per feature, y -> (y - target_shift) / target_spread; fitted on some rows, applied to any.
struct Scaling {
  ScalingRule rule = ScalingRule::kNone;
  DoubleVector shift;   // p
  DoubleVector spread;  // p, never 0
  double target_shift = 0;
  double target_spread = 1;

  // Predictions back in the target's own unit.
  double unscaled_target(double scaled) const { return scaled * target_spread + target_shift; }
  double unscaled_deviation(double scaled) const { return scaled * target_spread; }
};

// A column whose values lie within this fraction of their size is constant: it is shifted, and its spread is 1. Judged
// by max - min, which is exact; the computed deviation of a constant column need not be 0.
inline constexpr double kConstantTolerance = 1e-12;

// Deviations divide by n - 1, as those of the Raetsch files do.
Scaling make_scaling(ScalingRule rule, LabelKind labels, const ColumnStatistics& statistics);
Scaling fit_scaling(ScalingRule rule, const Dataset& dataset, std::span<const Index> rows);

// The numbers of kFixed, one for each feature.
struct GivenScaling {
  std::vector<double> shift = {};
  std::vector<double> spread = {};  // none of them 0
  double target_shift = 0;
  double target_spread = 1;

  auto operator<=>(const GivenScaling&) const = default;
};
// Throws DataError, `whose` first, when there are not as many numbers as features.
Scaling make_scaling(const GivenScaling& given, Index features, const std::string& whose);

// In place: a large set is never held twice.
void apply_scaling(const Scaling& scaling, MatrixRef x);
void apply_scaling(const Scaling& scaling, Dataset& dataset);

}  // namespace fedstein
