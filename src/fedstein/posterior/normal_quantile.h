// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fedstein {

// z with P(N(0, 1) <= z) = p, for p in the open (0, 1), to the last digits.
double normal_quantile(double p);

}  // namespace fedstein
