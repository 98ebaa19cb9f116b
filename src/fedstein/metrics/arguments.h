// SPDX-License-Identifier: Apache-2.0
// What every metric asks of its arguments; one sentence of complaint each, in the manner of numeric/check.h.
#pragma once

#include <span>
#include <string>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// How far a row of probabilities may miss the sum 1. A softmax in single precision over a thousand classes misses it by
// 1e-5 at most; a row that nobody normalised misses it by far more.
inline constexpr double kRowSumTolerance = 1e-4;

// n x C with n, C >= 1, every value finite and from 0 to 1, every row sum 1.
void check_probabilities(const char* function, const char* argument, const ConstMatrixRef& probabilities);

// One label per row, each a class index from 0 to classes - 1.
void check_labels(const char* function, std::span<const Index> labels, Index rows, Index classes);

// From 1 to kMostBins: beyond that the edges of neighbouring bins meet in single precision.
inline constexpr Index kMostBins = 100000;
void check_bin_count(const char* function, Index bins);

void check_rows(const char* function, const char* argument, Index found, Index rows);

// "labels holds 7 in row 3", the beginning of a complaint. Worth building only once there is one: rows are many.
std::string value_in_row(const char* argument, double value, Index row);

// At least one value, none of them NaN; infinities pass, for they can be compared and averaged.
void check_no_nan(const char* function, const char* argument, const Eigen::Ref<const DoubleVector>& values);

}  // namespace fedstein
