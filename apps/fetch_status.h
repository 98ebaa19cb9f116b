// SPDX-License-Identifier: Apache-2.0
// A question to a server of this machine, of `fedstein serve` or `fedstein run --live`.
#pragma once

#include <optional>
#include <string>

#include "fedstein/live/live_place.h"

namespace fedstein {

// Where the page is of a server that keeps its state in this folder, or of the one whose port is given. Throws where
// there is nothing to be found, with what to do.
LivePlace place_of_server(const std::string& folder, int port);

// GET of a page; nothing when nobody answers. Throws for a token that is refused.
std::optional<std::string> ask_server(const LivePlace& place, const std::string& page);
// The same; throws AddressUnavailable when nobody answers.
std::string fetch_status(const LivePlace& place, const std::string& page);

}  // namespace fedstein
