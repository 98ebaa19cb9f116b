// SPDX-License-Identifier: Apache-2.0
// The option --force of verbs that write where they are told to.
#pragma once

#include <string>
#include <vector>

#include "fedstein/files/output_rules.h"

namespace CLI {
class App;
}

namespace fedstein {

void add_force_option(CLI::App& verb, bool& force);

// What may be written over: as `rules` say, or anything when forced; never one of the inputs.
WriteOptions output_rules(bool force, std::vector<std::string> inputs, WriteOptions rules = {});

}  // namespace fedstein
