// SPDX-License-Identifier: Apache-2.0
// A networked federation's agents and events as parts of the board.
#pragma once

#include <string>
#include <vector>

#include "fedstein/live/board.h"
#include "fedstein/serving/desk_status.h"

namespace fedstein {

// What the desk does not know.
struct FederationFacts {
  std::string address = {};
  Index rounds = 0;
  std::string label = {};                  // of the method
  std::vector<std::string> troubles = {};  // what is wrong at the moment, each a sentence
};

void show_federation(Board::Parts& parts, const FederationFacts& facts, const DeskStatus& desk);

// One word: working, here, away, left, barred or new.
const char* state_of(const AgentStatus& agent);

}  // namespace fedstein
