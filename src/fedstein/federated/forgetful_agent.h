// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/sides.h"
#include "fedstein/federated/state.h"

namespace fedstein {

// An agent that keeps nothing between rounds: what it knows is its data, the round's number and the task.
class ForgetfulAgent : public AgentSide {
 public:
  // owner: names the method in saved state, a literal.
  explicit ForgetfulAgent(const char* owner = "forgetful agent") : owner_(owner) {}

  void settle(const Verdict& /*verdict*/, const Update& /*as_sent*/) override {}
  std::string save() const override { return StateWriter(owner_).finish(); }
  void restore(const std::string& bytes) override { StateReader(bytes, owner_).finish(); }
  Index state_size() const override { return 0; }

 private:
  const char* owner_;
};

}  // namespace fedstein
