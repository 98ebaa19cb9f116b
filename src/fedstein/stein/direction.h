// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fedstein/numeric/scratch.h"
#include "fedstein/stein/kernel.h"

namespace fedstein {

// The SVGD direction for the scores s (N x d) of a target at the particles x (N x d):          [eq. particles_gradient]
//
//   phi_n = 1/N sum_j [ k(x_j, x_n) s_j + d/dx_j k(x_j, x_n) ]
//
// attraction and repulsion in one product per block of columns: O(N^2 d) time, O(N^2) memory beside the result. One
// particle moves along its score, and so does each of those whose kernel does not couple them, at 1/N. phi must not
// overlap x or score.
void stein_direction(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score, MatrixRef phi);

// The same a block of columns at a time, for loops that make a block's scores and use its direction while both are in
// the cache. The kernel matrix is found on construction; a local, as Scratch is. Borrows kernel and x, whose columns
// may change once their direction is found.
class SteinDirection {
 public:
  SteinDirection(const Kernel& kernel, const ConstMatrixRef& x);

  // How many columns a block should have, whatever their number in all.
  static Index columns_per_block(Index particles);

  // phi = the direction's columns from `first` on, for their scores, which are used up.
  void columns(Index first, MatrixRef score, MatrixRef phi) const;

 private:
  ConstMatrixRef x_;
  Scratch attraction_;         // K / N
  Scratch repulsion_;          // 2 F' / N, where it is no multiple of K
  Scratch push_;               // of each particle away from the particles' mean
  std::optional<Real> alone_;  // where particles do not feel each other: 1/N
  std::optional<Real> pull_;   // where 2 F' is a multiple of K
};

}  // namespace fedstein
