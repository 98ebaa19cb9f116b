// SPDX-License-Identifier: Apache-2.0
// The two halves of a method of the user's own.
#pragma once

#include <memory>
#include <string>

#include "callables.h"
#include "federations.h"
#include "models.h"

namespace fedstein::python {

// What all halves of one method share.
struct OwnMethod {
  std::string name = {};
  Kept start = {};
  Kept fold = {};
  Kept make_agent = {};
  Kept particles = {};
};

std::unique_ptr<ServerSide> make_own_server(const std::shared_ptr<const OwnMethod>& method,
                                            const HeldModel& model,
                                            const ServerContext& context,
                                            const Settings& settings);

std::unique_ptr<AgentSide> make_own_agent(const OwnMethod& method,
                                          const HeldModel& model,
                                          const AgentContext& context,
                                          const Settings& settings);

}  // namespace fedstein::python
