// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "fedstein/federated/sides.h"

namespace fedstein {

using Clock = std::chrono::steady_clock;

// Carries tasks to agents and their replies back. A failure is a reply; only a bug of the transport itself throws.
class Transport {
 public:
  virtual ~Transport() = default;

  // The replies that came before the deadline: in any order, perhaps doubled, perhaps of an earlier round. A task
  // without a reply counts as timed out.
  virtual std::vector<Reply> exchange(const std::vector<Task>& tasks, Clock::time_point deadline) = 0;

  // Tells the agents what became of their updates. What fails there (a distillation that diverges) comes back.
  virtual std::vector<Failure> settle(const std::vector<Verdict>& verdicts) = 0;
};

// Agents in this process, working at the same time on the threads there are. Borrows them.
class InProcessTransport : public Transport {
 public:
  explicit InProcessTransport(std::vector<AgentSide*> agents);

  std::vector<Reply> exchange(const std::vector<Task>& tasks, Clock::time_point deadline) override;
  std::vector<Failure> settle(const std::vector<Verdict>& verdicts) override;

 private:
  std::vector<AgentSide*> agents_;
};

// One agent's work as a reply, whatever it throws.
Reply reply_of(AgentSide& agent, const Task& task);
// One agent's settling, likewise; nothing when it went well.
std::optional<Failure> settle_with(AgentSide& agent, const Verdict& verdict);

}  // namespace fedstein
