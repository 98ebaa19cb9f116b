// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/config/parse.h"
#include "fedstein/config/server_plan.h"

namespace fedstein {

// What keeps a server from being started, beyond what is wrong with its configuration as a text: its address,
// certificate files that are not named, not there, not readable or do not belong together, and a state folder that
// cannot be made or written. All of it at once. `file` names the configuration.
struct ServeObjection {
  Mistake mistake;
  ErrorKind kind = ErrorKind::kConfiguration;  // whose problem it is: a file may be missing, or hold the wrong thing
};
std::vector<ServeObjection> serve_objections(const ServerPlan& server, bool insecure, const std::string& file);

}  // namespace fedstein
