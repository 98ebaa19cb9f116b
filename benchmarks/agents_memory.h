// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

struct AgentsMemory {
  double start_bytes = 0;  // of the process before there was a federation
  double grown_bytes = 0;  // by the federation's peak, every agent visited once
  double seconds = 0;      // of those rounds
};

// A DSVGD federation of so many simulated agents of a few rows each, every one of them visited: an agent that took part
// keeps its factor. Reads the process's own memory, so that it wants a process of its own.
AgentsMemory measure_agents(Index agents);

// That process: `program` is one that answers `--agents COUNT` by print_agents().
AgentsMemory measure_agents_apart(const std::string& program, Index agents);
void print_agents(Index agents);

}  // namespace fedstein
