// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Every value becomes its exponential, in whole registers even at the end of the row: Eigen leaves what does not fill a
// register to the scalar function, which for a handful of particles is most of the work.
void exp_in_place(Real* values, Index count);

// The sum, accumulated in double.
double sum_of(const Real* values, Index count);

}  // namespace fedstein
