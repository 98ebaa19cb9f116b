// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "fedstein/federated/observer.h"
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

  // Tells the agents what became of their updates. `record`: what there is to say about the round by now, for a
  // transport that must not forget it. What fails there (a distillation that diverges) comes back.
  virtual std::vector<Failure> settle(const std::vector<Verdict>& verdicts, const RoundRecord& record) = 0;

  // Who can take part in the next round, ascending; nothing: everybody. Throws when nobody can.
  virtual std::optional<std::vector<Index>> able() { return std::nullopt; }
};

// What agents sent, until its verdict: an agent settles on the update as it travelled.
class SentUpdates {
 public:
  // A reply that left its agent. A failure leaves nothing to settle on.
  void remember(const Reply& reply);
  // What the verdict is about, and no longer remembered; an empty update where there is none.
  Update take(const Verdict& verdict);

 private:
  std::map<Index, Update> of_agent_;
};

// Agents in this process, working at the same time on the threads there are. Borrows them.
class InProcessTransport : public Transport {
 public:
  explicit InProcessTransport(std::vector<AgentSide*> agents);

  std::vector<Reply> exchange(const std::vector<Task>& tasks, Clock::time_point deadline) override;
  std::vector<Failure> settle(const std::vector<Verdict>& verdicts, const RoundRecord& record) override;

 private:
  std::vector<AgentSide*> agents_;
  SentUpdates sent_;
};

// One agent's work as a reply, whatever it throws.
Reply reply_of(AgentSide& agent, const Task& task);
// One agent's settling, likewise; nothing when it went well.
std::optional<Failure> settle_with(AgentSide& agent, const Verdict& verdict, const Update& as_sent);

}  // namespace fedstein
