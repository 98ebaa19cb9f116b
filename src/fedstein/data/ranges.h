// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fedstein/data/dataset.h"

namespace fedstein {

// Between which values some rows lie, unscaled: what lies far outside was never seen by who learned from them.
struct Ranges {
  DoubleVector low = {};   // p; empty: nobody has looked
  DoubleVector high = {};  // p
  double target_low = 0;   // of a regression and of counts
  double target_high = 0;

  bool are_known() const { return low.size() > 0; }
};

// Throws InvalidArgument for row numbers outside the dataset and for no rows at all.
Ranges ranges_of(const Dataset& dataset, std::span<const Index> rows);

}  // namespace fedstein
