// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fedstein {

// Counts and positions. The same type as Eigen's, which this folder does not need; numeric/matrix.h checks it.
using Index = std::ptrdiff_t;

}  // namespace fedstein
