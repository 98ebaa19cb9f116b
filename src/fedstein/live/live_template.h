// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fedstein {

// web/dist/live.html, as it was built.
std::string_view live_template();

}  // namespace fedstein
