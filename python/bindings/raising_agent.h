// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fedstein/federated/sides.h"

namespace fedstein::python {

// An agent whose update may call functions of the user's own, where nobody waits for what they raise: that is the
// round's failure, told to the server in a sentence of ours. Their own words may hold values of rows and go to `tell`
// alone. What settle() raises passes through: the state on disk stays as it was, and the agent settles again.
std::unique_ptr<AgentSide> raising_agent(std::unique_ptr<AgentSide> inner,
                                         std::function<void(const std::string&)> tell);

}  // namespace fedstein::python
