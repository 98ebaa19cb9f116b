// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/rng.h"

namespace fedstein {

// Standard normal entries, the same for the same seed.
inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed, double mean = 0, double deviation = 1) {
  Matrix out(rows, columns);
  Rng({.seed = seed, .purpose = Purpose::kTest}).fill_normal(out, mean, deviation);
  return out;
}

}  // namespace fedstein
