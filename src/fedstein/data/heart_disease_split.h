// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr Index kHospitals = 4;  // Cleveland, Hungary, Switzerland, VA (Long Beach)

// The patients of a hospital that are tested on: lines of its file, from 1, ascending.
std::span<const Index> tested_patients(Index hospital);

}  // namespace fedstein
