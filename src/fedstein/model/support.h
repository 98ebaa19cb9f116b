// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// A box of parameters: low(k) <= theta(k) <= high(k). The support of a uniform prior.
struct Support {
  DoubleVector low;
  DoubleVector high;

  bool contains(const Eigen::Ref<const RowVector>& theta) const;

  // Moves every coordinate outside the box to its mirror image inside, folding as often as it takes; never outside, not
  // even by rounding. Values that are not finite stay, for the caller's check to find.
  void reflect(MatrixRef particles) const;
};

// Throws InvalidArgument unless both bounds are finite, of equal length and low < high throughout.
void check_support(const char* function, const Support& support);

}  // namespace fedstein
