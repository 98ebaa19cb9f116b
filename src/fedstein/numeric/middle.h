// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Two neighbours, or twice the same place, of a sequence in rising order.
struct Neighbours {
  double low;
  double high;
};

// The values at the sorted places `low` and `high`, with high = low or low + 1, of `count` values that are not
// negative and no NaN. Reorders the values. Does not allocate after warm-up.
Neighbours select_neighbours(Real* values, Index count, Index low, Index high);

}  // namespace fedstein
