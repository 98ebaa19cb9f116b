// SPDX-License-Identifier: Apache-2.0
// An agent of c-dsvgd that does its work and falsifies its reports.
#pragma once

#include <functional>
#include <utility>

#include "fedstein/federated/sides.h"

namespace fedstein {

// How a report is falsified: the round, and the two numbers.
using Lie = std::function<void(Index round, MatrixRef report)>;

class LyingAgent : public AgentSide {
 public:
  LyingAgent(AgentSide& inner, Lie lie) : inner_(inner), lie_(std::move(lie)) {}
  Update update(const Task& task) override {
    Update out = inner_.update(task);
    lie_(task.round, out.belief[2]);
    return out;
  }
  void settle(const Verdict& verdict, const Update& as_sent) override { inner_.settle(verdict, as_sent); }
  std::string save() const override { return inner_.save(); }
  void restore(const std::string& bytes) override { inner_.restore(bytes); }
  Index state_size() const override { return inner_.state_size(); }

 private:
  AgentSide& inner_;
  Lie lie_;
};

}  // namespace fedstein
