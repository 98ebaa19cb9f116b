// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Do the particles still spread as far as their target asks? SVGD with few particles in many dimensions tends to pull
// them together, and an over-confident posterior looks like any other from outside.
//
// For every density with scores s, Stein's identity says E[(x - mean)_i s_i] = -1. For particles that are too close
// together the same average is nearer to 0, so its negative
//
//   ratio_i = -mean_n[ (x_n - mean)_i s_n,i ]
//
// is the particles' variance as a share of the variance that the scores imply (exactly so for a Gaussian target).
struct CollapseReport {
  DoubleVector variance;  // per dimension, of the particles
  DoubleVector implied;   // variance / ratio; infinity where the scores push apart (ratio <= 0 with some variance)
  DoubleVector ratio;     // about 1: as it should be; towards 0: collapsed
  double median_ratio = 1;
  bool collapsed = false;  // |median ratio| below the threshold: at least half of the dimensions have lost their spread
};

// x and scores: N x d. One particle has no spread to judge: ratio 1, not collapsed. The threshold's default calls it a
// collapse when the deviation is less than a third of what it should be.
CollapseReport diagnose_collapse(const ConstMatrixRef& x, const ConstMatrixRef& scores, double threshold = 0.1);

}  // namespace fedstein
