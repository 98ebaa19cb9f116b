// SPDX-License-Identifier: Apache-2.0
// What the records of rounds tell of a federation's agents: less than its server knows, but they outlive it.
#pragma once

#include <string>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/serving/desk_status.h"

namespace fedstein {

class AgentsOfRounds {
 public:
  explicit AgentsOfRounds(const std::vector<std::string>& names);

  void note(const RoundRecord& record);
  DeskStatus status(bool finished) const;

 private:
  std::vector<AgentStatus> agents_;
  std::vector<ServerEvent> events_;  // the latest, without times: records have none
  Index closed_round_ = 0;
};

}  // namespace fedstein
