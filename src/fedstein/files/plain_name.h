// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fedstein {

// Names that may stand in a certificate and in a file's name: letters, digits, '.', '-', '_', not starting with '.' or
// '-', at most 63, as a DNS label.
bool is_plain_name(std::string_view name);

// The same as a message says it.
inline constexpr const char* kPlainNameRule =
    "1 to 63 letters, digits, '.', '-' and '_', the first of them no '.' or '-'";

}  // namespace fedstein
