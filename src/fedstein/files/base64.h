// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fedstein {

// RFC 4648, with padding and without line breaks.
std::string base64_of(std::string_view bytes);

}  // namespace fedstein
