// SPDX-License-Identifier: Apache-2.0
// Where a curve of figures is going: its last part as a line, and how far it is below what it had reached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fedstein/federated/observer.h"

namespace fedstein {

struct CurvePoint {
  Index round = 0;
  double value = 0;
};
using Curve = std::vector<CurvePoint>;

// Of the rounds that have the figure.
Curve curve_of(const std::vector<RoundRecord>& records, const std::string& figure, double sign = 1);

// The figure in the last round that has it.
std::optional<double> last_of(const std::vector<RoundRecord>& records, const std::string& figure);

// The last fifth of the points, four at least: fewer make no line.
std::size_t tail_size(std::size_t points);

// The straight line that fits the last `points` best.
struct Trend {
  double per_round = 0;    // its slope ...
  double uncertainty = 0;  // ... and half the width of that slope's 95 % interval
  double level = 0;        // mean of the points
  double noise = 0;        // standard error of the level around the line
  Index rounds = 0;        // that the points span
};
Trend trend_of(const Curve& curve, std::size_t points);

// Mean over `points` neighbours from `begin` on.
double window_mean(const Curve& curve, std::size_t begin, std::size_t points);
// Where the window of `points` neighbours with the greatest mean begins; the earliest of several.
std::size_t best_window(const Curve& curve, std::size_t points);

}  // namespace fedstein
