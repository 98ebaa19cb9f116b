// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fedstein/algorithm/federation.h"

namespace fedstein::python {

// "round-robin", "random", "weighted" or "fraction"; `rows` are the agents' numbers of rows. Throws InvalidArgument.
std::unique_ptr<Scheduler> scheduler_of(const std::string& name,
                                        double fraction,
                                        const Federation& federation,
                                        std::uint64_t seed,
                                        const std::vector<Index>& rows);

}  // namespace fedstein::python
