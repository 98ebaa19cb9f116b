// SPDX-License-Identifier: Apache-2.0
// Both halves of an algorithm from one function each, for methods whose agents keep nothing between rounds and whose
// server keeps its belief alone. Saving, restoring, planning and refusing are done. examples/new_algorithm.cc shows
// one.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fedstein/federated/forgetful_agent.h"
#include "fedstein/federated/versioned_belief.h"

namespace fedstein {

class PlainAgent : public ForgetfulAgent {
 public:
  // What the agent answers. Must give the same answer whenever it is asked for the same task.
  using Work = std::function<Belief(const Task& task)>;
  // owner: names the method in saved state, a literal.
  PlainAgent(const char* owner, Work work) : ForgetfulAgent(owner), work_(std::move(work)) {}

  Update update(const Task& task) override { return {task.round, task.agent, work_(task)}; }

 private:
  Work work_;
};

class PlainServer : public ServerSide {
 public:
  // The next belief, of the same shapes, from this one and a round's updates: at least one, sorted by agent, with the
  // shapes of the belief.
  using Fold = std::function<Belief(const Belief& belief, const std::vector<Update>& updates)>;
  PlainServer(const char* owner, Belief start, Fold fold)
      : owner_(owner), belief_(std::move(start)), fold_(std::move(fold)) {}

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    return belief_.plan(round, agents);
  }
  std::string objection(const Update& update) const override { return belief_.objection(update); }
  // Throws Divergence when the next belief is not finite, InvalidArgument when it has other shapes.
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return belief_.front(); }
  std::string save() const override { return belief_.save(owner_); }
  void restore(const std::string& bytes) override { belief_.restore(bytes, owner_); }

 private:
  const char* owner_;
  VersionedBelief belief_;
  Fold fold_;
};

}  // namespace fedstein
