// SPDX-License-Identifier: Apache-2.0
// One bin of a reliability diagram: what is counted, sent, stored and drawn.
#pragma once

#include <cstdint>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

struct ReliabilityBin {
  std::int64_t count = 0;
  std::int64_t correct = 0;
  double confidence_sum = 0;

  // Bins add up, across agents and across trials.
  ReliabilityBin& operator+=(const ReliabilityBin& other) {
    count += other.count;
    correct += other.correct;
    confidence_sum += other.confidence_sum;
    return *this;
  }
};

// Bin i of `bins` begins at the edge i, which belongs to it, and ends before the edge i + 1; the last holds its end
// too. Rounded to Real, so that a confidence written 0.3 lies in [0.3, 0.4) in either precision.
inline double reliability_edge(Index edge, Index bins) {
  return static_cast<double>(static_cast<Real>(static_cast<double>(edge) / static_cast<double>(bins)));
}

}  // namespace fedstein
