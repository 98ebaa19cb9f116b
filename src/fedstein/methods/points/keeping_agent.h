// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/pending_update.h"
#include "fedstein/federated/sides.h"

namespace fedstein {

// An agent that keeps one row of numbers between rounds, zeros at first: a control variate, a sum of its own moves. The
// row changes when the server has folded an update, and by what the server received.
class KeepingAgent : public AgentSide {
 public:
  void settle(const Verdict& verdict, const Update& as_sent) final;
  std::string save() const final;
  void restore(const std::string& bytes) final;
  Index state_size() const final { return kept_.size() + size_of(pending_.values()); }

 protected:
  // owner: names the method in saved state, a literal.
  KeepingAgent(const char* owner, Index dimension) : owner_(owner), kept_(Matrix::Zero(1, dimension)) {}

  const Matrix& kept() const { return kept_; }
  // Called by update(): `value` (1 x d) waits for the round's verdict.
  void wait(Index round, Matrix value) { pending_.wait(round, {std::move(value)}); }
  // What is kept once the server has folded what was sent; `waited` is what wait() was given.
  virtual Matrix kept_after(const Update& as_sent, const Matrix& waited) const = 0;

 private:
  const char* owner_;
  Matrix kept_;
  PendingUpdate pending_;
};

}  // namespace fedstein
