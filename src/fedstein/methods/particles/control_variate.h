// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/messages.h"
#include "fedstein/federated/pending_update.h"
#include "fedstein/federated/state.h"

namespace fedstein {

// What an agent of c-dsvgd remembers: c_k, and the one before it, because a server may take a folded round back later.
//
// The server says with every task what became of the upload that c_k is from: it counts, or it was taken back.
class ControlVariate {
 public:
  ControlVariate(Index rows, Index columns) : current_(Matrix::Zero(rows, columns)), previous_(current_) {}

  // c_k as the server counts it when it hands out this task.
  const Matrix& at(const Task& task) const;
  // The task's upload will change c_k.
  void wait(const Task& task);
  // Changes c_k as the server did. The change is the one that the server received.
  void settle(const Verdict& verdict, const Matrix& change);

  const Matrix& current() const { return current_; }
  void write(StateWriter& writer) const;
  // Throws BadState unless all is of this variate's shape and finite.
  ControlVariate read(StateReader& reader) const;
  Index size() const { return current_.size() + previous_.size() + size_of(pending_.values()); }

 private:
  Index round_ = 0;  // whose upload made current_; 0: none
  Matrix current_;
  Matrix previous_;
  PendingUpdate pending_;  // what previous_ will be
};

}  // namespace fedstein
