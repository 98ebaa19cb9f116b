// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "fedstein/numeric/compare.h"
#include "fedstein/stein/score.h"

namespace fedstein {

// A log density, up to a constant, of every row of theta.
using LogDensity = std::function<DoubleVector(const ConstMatrixRef& theta)>;

struct GradientReport {
  bool agrees = true;
  double error = 0;  // largest |score - difference quotient|, as a share of the largest score (at least 1)
  Index particle = 0;
  Index coordinate = 0;
  double score = 0;       // what the Score says there
  double difference = 0;  // what the log density's differences say
  Index kinks = 0;        // values left out because the log density has a kink there
  std::string message;    // one sentence when they disagree, else empty

  explicit operator bool() const { return agrees; }
};

struct GradientCheckOptions {
  double tolerance = kGradientTolerance;
  // Of a wide model only this many evenly spaced coordinates are differenced.
  Index most_coordinates = 400;
  // Leaves out values where differences over one and over two steps contradict each other, as they do across the kink
  // of a rectified unit: no score could agree with them. When more than half are left out the check fails.
  bool skip_kinks = false;
};

// Compares a score with five-point central differences of its log density at the given points (N x d): the check that
// every score of this project passes, shipped so that yours can too.
GradientReport check_gradient(const LogDensity& log_density,
                              const Score& score,
                              const ConstMatrixRef& points,
                              const GradientCheckOptions& options = {});

}  // namespace fedstein
