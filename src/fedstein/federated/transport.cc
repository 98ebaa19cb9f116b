// SPDX-License-Identifier: Apache-2.0
#include "fedstein/federated/transport.h"

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {

namespace {

// What the work of an agent threw, as a value.
template <typename Work>
std::optional<Failure> failure_of(Index round, Index agent, const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Divergence& error) {
    return Failure{round, agent, Failure::Kind::kDiverged, error.what()};
  } catch (const std::exception& error) {
    return Failure{round, agent, Failure::Kind::kBroken, error.what()};
  }
}

}  // namespace

Reply reply_of(AgentSide& agent, const Task& task) {
  Update update;
  if (auto failure = failure_of(task.round, task.agent, [&] { update = agent.update(task); })) return *failure;
  return update;
}

std::optional<Failure> settle_with(AgentSide& agent, const Verdict& verdict, const Update& as_sent) {
  return failure_of(verdict.round, verdict.agent, [&] { agent.settle(verdict, as_sent); });
}

void SentUpdates::remember(const Reply& reply) {
  if (const auto* update = std::get_if<Update>(&reply)) of_agent_[update->agent] = *update;
}

Update SentUpdates::take(const Verdict& verdict) {
  const auto found = of_agent_.find(verdict.agent);
  if (found == of_agent_.end() || found->second.round != verdict.round) return {verdict.round, verdict.agent, {}};
  return std::move(of_agent_.extract(found).mapped());
}

InProcessTransport::InProcessTransport(std::vector<AgentSide*> agents) : agents_(std::move(agents)) {
  for (const AgentSide* agent : agents_) check_argument(agent != nullptr, "InProcessTransport", "an agent is null");
}

std::vector<Reply> InProcessTransport::exchange(const std::vector<Task>& tasks, Clock::time_point deadline) {
  for (const Task& task : tasks) {
    check_argument(
        task.agent >= 0 && task.agent < static_cast<Index>(agents_.size()), "InProcessTransport::exchange", [&] {
          return "a task names agent " + std::to_string(task.agent) + " of " + std::to_string(agents_.size());
        });
  }
  std::vector<Reply> slots(tasks.size());
  std::vector<char> late(tasks.size());  // not bool: threads write side by side
  parallel_for(static_cast<Index>(tasks.size()), 1, [&](Index i, Index) {
    const auto slot = static_cast<std::size_t>(i);
    Reply reply = reply_of(*agents_[static_cast<std::size_t>(tasks[slot].agent)], tasks[slot]);
    late[slot] = Clock::now() > deadline;
    slots[slot] = std::move(reply);
  });
  std::vector<Reply> replies;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    sent_.remember(slots[slot]);
    if (late[slot] == 0) replies.push_back(std::move(slots[slot]));
  }
  return replies;
}

std::vector<Failure> InProcessTransport::settle(const std::vector<Verdict>& verdicts, const RoundRecord& /*record*/) {
  std::vector<std::optional<Failure>> slots(verdicts.size());
  std::vector<Update> sent;
  for (const Verdict& verdict : verdicts) sent.push_back(sent_.take(verdict));
  parallel_for(static_cast<Index>(verdicts.size()), 1, [&](Index i, Index) {
    const auto slot = static_cast<std::size_t>(i);
    slots[slot] = settle_with(*agents_[static_cast<std::size_t>(verdicts[slot].agent)], verdicts[slot], sent[slot]);
  });
  std::vector<Failure> failures;
  for (auto& slot : slots) {
    if (slot) failures.push_back(std::move(*slot));
  }
  return failures;
}

}  // namespace fedstein
