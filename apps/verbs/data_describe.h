// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace fedstein {

struct Outcome;

// Of the family `data`.
void add_data_describe(CLI::App& family, Outcome& outcome);

}  // namespace fedstein
