// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace fedstein {

// Takes bytes as they are made, so that the whole need not be in memory.
using ByteSink = std::function<void(std::string_view)>;

}  // namespace fedstein
