// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <utility>

#include "fedstein/federated/transport.h"

namespace fedstein {

// A network that misbehaves on command: no threads, no clock, no chance. For tests of everything that must survive one.
class HandCrankedTransport : public Transport {
 public:
  enum class Mishap {
    kDropTask,    // the agent never hears of it
    kDropReply,   // the agent works, nobody hears of it
    kDelay,       // the reply arrives with the next exchange, too late
    kDuplicate,   // the reply arrives twice, and again with the next exchange
    kFail,        // the agent breaks
    kNonFinite,   // the reply holds a NaN
    kMisshapen,   // the reply lost a row
    kWrongRound,  // the reply says another round
    kStranger,    // the reply names an agent without a task
  };

  explicit HandCrankedTransport(std::vector<AgentSide*> agents) : agents_(std::move(agents)) {}

  // What happens to the exchange of one agent in one round; each mishap once, in the order given, then all is well.
  void arrange(Index round, Index agent, Mishap mishap) { script_[{round, agent}].push_back(mishap); }
  // Replies of this round arrive in the opposite order.
  void reverse(Index round) { reversed_.insert(round); }

  std::vector<Reply> exchange(const std::vector<Task>& tasks, Clock::time_point deadline) override;
  std::vector<Failure> settle(const std::vector<Verdict>& verdicts, const RoundRecord& record) override;

 private:
  std::vector<AgentSide*> agents_;
  std::map<std::pair<Index, Index>, std::vector<Mishap>> script_;
  std::set<Index> reversed_;
  std::vector<Reply> delayed_;
  SentUpdates sent_;
};

}  // namespace fedstein
