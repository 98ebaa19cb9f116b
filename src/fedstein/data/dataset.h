// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// What the labels mean. kCounts: 0, 1, 2, ..., never scaled. kDensity: toy mixtures, one row per likelihood factor,
// labels unused.
enum class LabelKind { kBinary, kMulticlass, kRegression, kCounts, kDensity };

// "binary", "multiclass", "regression", "counts", "density"
const char* label_kind_name(LabelKind labels);

// The group of a row that belongs to nobody, such as a generated test row.
inline constexpr Index kNoGroup = -1;

// One table of labelled rows; a value. Large sets are moved, scaled in place and addressed by row numbers (Split,
// Shards) rather than copied.
struct Dataset {
  std::string name;
  LabelKind labels = LabelKind::kBinary;
  Matrix x;           // n x p
  Vector y;           // n: -1/+1 (binary), class index 0..classes-1 (multiclass), the target (regression), or a count
  Index classes = 0;  // 2 for binary, 0 for the others
  std::vector<Index> group;  // n: patient, sensor, agent, or kNoGroup; empty when the set has none
};

// Beyond it single precision does not tell one count from the next.
inline constexpr double kMostCount = 16777216;
// Whether it is a whole number from 0 to kMostCount.
bool is_count(double label);

// Throws InvalidArgument when sizes disagree, a label is not one of its kind's, or a value is not finite.
void validate(const Dataset& dataset);

// 0..classes-1. Binary: -1 is class 0, +1 is class 1, the column order of predicted probabilities. No class in
// regression.
Index class_of(const Dataset& dataset, Index row);

// How many of the rows are of each class.
std::vector<Index> class_counts(const Dataset& dataset, std::span<const Index> rows);
std::vector<Index> class_counts(const Dataset& dataset);

// A copy of some rows, in the order given; repeats allowed.
Dataset rows(const Dataset& dataset, std::span<const Index> indices);

// 0 .. count-1
std::vector<Index> all_rows(Index count);

// Throws InvalidArgument, in the name of `function`, for a row number outside 0..count-1 or one that occurs twice.
void check_rows(const char* function, std::span<const Index> indices, Index count);

// FNV-1a, taken over 32-bit words instead of bytes: x row by row, then y, each number rounded to single precision. So a
// float and a double build agree on the same file.
std::uint64_t checksum(const Dataset& dataset);

}  // namespace fedstein
