// SPDX-License-Identifier: Apache-2.0
// Where a server's live page is, as a small file in its state or run folder: `fedstein status FOLDER` finds the page
// by it, and a server that is started again serves at the same port, where open pages wait for it.
#pragma once

#include <optional>
#include <string>

namespace fedstein {

struct LivePlace {
  int port = 0;                 // on this machine
  std::string token_file = {};  // empty: none is needed
};

// Nothing where there is no such file, or one that says nothing of use.
std::optional<LivePlace> live_place_of(const std::string& folder);
// Readable for the owner alone. A folder that cannot be written is an error.
void write_live_place(const std::string& folder, const LivePlace& place);

}  // namespace fedstein
