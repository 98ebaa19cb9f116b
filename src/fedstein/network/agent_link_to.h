// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "fedstein/exchange/agent_link.h"

namespace fedstein {

// Who an agent is: by certificate, or on this machine by name alone.
struct AgentIdentity {
  std::string certificate = {};  // files, as `fedstein ca issue` writes them
  std::string key = {};
  std::string authority = {};
  std::string insecure_name = {};
};

// An agent's way to the server at HOST:PORT by gRPC. Connects to nobody yet. Throws InvalidArgument or TrustError for
// what can be found wrong here and now.
std::unique_ptr<AgentLink> agent_link_to(const std::string& server, const AgentIdentity& identity);

}  // namespace fedstein
