// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fedstein {

// A text from outside as one harmless line: printable ASCII stays, every other byte becomes \xNN, what is beyond `most`
// characters is cut. Nobody forges a second log line with it, nor sends a terminal an escape sequence.
std::string printable(std::string_view text, std::size_t most = 500);

}  // namespace fedstein
