// SPDX-License-Identifier: Apache-2.0
// The smallest algorithm that notices every mistake of an exchange: whole numbers modulo a prime, where each round
// depends on the belief and on what the agent kept of all its earlier rounds. A round that is lost, doubled, swapped or
// settled wrongly changes the end.
#pragma once

#include <cmath>
#include <utility>

#include "fedstein/federated/sides.h"
#include "fedstein/federated/state.h"

namespace fedstein {

inline Real modulo(Real value) {
  return std::fmod(value, 1009.0_r);
}

class ToyAgent : public AgentSide {
 public:
  explicit ToyAgent(Index agent) : agent_(agent) {}

  Update update(const Task& task) override {
    const Real next = modulo(2 * task.belief[0](0, 0) + static_cast<Real>(agent_) + 1 + 3 * kept_);
    pending_round_ = task.round;
    pending_value_ = next;
    return {task.round, task.agent, {Matrix::Constant(1, 1, next)}};
  }
  void settle(const Verdict& verdict, const Update& as_sent) override {
    if (pending_round_ != verdict.round) return;
    if (verdict.folded) kept_ = modulo(5 * kept_ + static_cast<Real>(verdict.round) + as_sent.belief.at(0)(0, 0));
    pending_round_ = 0;
    pending_value_ = 0;
  }
  std::string save() const override {
    StateWriter writer("toy agent");
    writer.integer(pending_round_);
    writer.number(static_cast<double>(pending_value_));
    writer.number(static_cast<double>(kept_));
    return std::move(writer).finish();
  }
  void restore(const std::string& bytes) override {
    StateReader reader(bytes, "toy agent");
    pending_round_ = reader.integer();
    pending_value_ = static_cast<Real>(reader.number());
    kept_ = static_cast<Real>(reader.number());
  }
  Index state_size() const override { return 1; }

 private:
  Index agent_;
  Index pending_round_ = 0;
  Real pending_value_ = 0;
  Real kept_ = 0;
};

class ToyServer : public ServerSide {
 public:
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    std::vector<Task> tasks;
    for (const Index agent : agents) {
      tasks.push_back({.round = round, .agent = agent, .version = round - 1, .belief = belief_, .verdict = {}});
    }
    return tasks;
  }
  std::string objection(const Update& update) const override { return objection_to(update, belief_); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override {
    Real sum = belief_[0](0, 0);
    std::vector<Verdict> verdicts;
    for (const Update& update : updates) {
      sum = modulo(7 * sum + update.belief[0](0, 0));
      verdicts.push_back({round, update.agent, true, 1.0 / static_cast<double>(updates.size())});
    }
    belief_[0](0, 0) = sum;
    return verdicts;
  }
  Particles particles() const override { return belief_[0]; }
  std::string save() const override {
    StateWriter writer("toy server");
    writer.matrices(belief_);
    return std::move(writer).finish();
  }
  void restore(const std::string& bytes) override { belief_ = StateReader(bytes, "toy server").matrices(); }

 private:
  Belief belief_{Matrix::Constant(1, 1, 1)};
};

}  // namespace fedstein
