// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/transport.h"

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {

Reply reply_of(AgentSide& agent, const Task& task) {
  const auto failure = [&](Failure::Kind kind, const std::exception& error) -> Reply {
    return Failure{task.round, task.agent, kind, error.what()};
  };
  try {
    return agent.update(task);
  } catch (const Divergence& error) {
    return failure(Failure::Kind::kDiverged, error);
  } catch (const std::exception& error) {
    return failure(Failure::Kind::kBroken, error);
  }
}

InProcessTransport::InProcessTransport(std::vector<AgentSide*> agents) : agents_(std::move(agents)) {
  for (const AgentSide* agent : agents_) check(agent != nullptr, "InProcessTransport", "an agent is null");
}

std::vector<Reply> InProcessTransport::exchange(const std::vector<Task>& tasks, Clock::time_point deadline) {
  for (const Task& task : tasks) {
    check(task.agent >= 0 && task.agent < static_cast<Index>(agents_.size()), "InProcessTransport::exchange", [&] {
      return "a task names agent " + std::to_string(task.agent) + " of " + std::to_string(agents_.size());
    });
  }
  std::vector<std::optional<Reply>> slots(tasks.size());
  parallel_for(static_cast<Index>(tasks.size()), 1, [&](Index i, Index) {
    const auto slot = static_cast<std::size_t>(i);
    Reply reply = reply_of(*agents_[static_cast<std::size_t>(tasks[slot].agent)], tasks[slot]);
    if (Clock::now() <= deadline) slots[slot] = std::move(reply);
  });
  std::vector<Reply> replies;
  for (auto& slot : slots) {
    if (slot) replies.push_back(std::move(*slot));
  }
  return replies;
}

void InProcessTransport::settle(const std::vector<Verdict>& verdicts) {
  parallel_for(static_cast<Index>(verdicts.size()), 1, [&](Index i, Index) {
    const Verdict& verdict = verdicts[static_cast<std::size_t>(i)];
    agents_[static_cast<std::size_t>(verdict.agent)]->settle(verdict);
  });
}

}  // namespace fedstein
