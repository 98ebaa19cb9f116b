// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// What a network's hidden unit makes of its input z: max(z, 0), tanh z, or log(1 + e^z), a rectifier without a kink.
// The slope of each follows from the unit's value alone, so that a pass back needs nothing but the values of the pass
// forth; those of GELU and the like do not, and are left out for it.
enum class Activation { kRelu, kTanh, kSoftplus };

// Replaces every z by the unit's value.
void activate(Activation activation, MatrixRef z);

// pull *= the units' slopes, given their values.
void multiply_by_slopes(Activation activation, const ConstMatrixRef& active, MatrixRef pull);

}  // namespace fedstein
