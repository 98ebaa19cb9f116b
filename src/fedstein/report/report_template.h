// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fedstein {

// web/dist/report.html, as it was built.
std::string_view report_template();

}  // namespace fedstein
