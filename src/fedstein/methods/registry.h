// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "fedstein/algorithm/algorithm.h"

namespace fedstein {

// Every algorithm there is, in the order of the paper's table. A new method is one line in registry.cc.
const std::vector<Algorithm>& algorithms();
// An unknown name is refused with the names there are.
const Algorithm& algorithm_named(std::string_view name);

}  // namespace fedstein
