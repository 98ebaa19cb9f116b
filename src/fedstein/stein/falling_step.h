// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/stein/step_rule.h"

namespace fedstein {

// Another rule's steps, of which the l-th of L counts 1 - l/L: the first whole, the last 1/L, what would follow not at
// all. A loop that ends so ends where its target wants it, not where its last steps happened to be thrown. Borrows the
// rule.
class FallingStep : public StepRule {
 public:
  FallingStep(const StepRule& rule, Index steps);
  std::unique_ptr<State> start(Index rows, Index columns) const override;

 private:
  const StepRule* rule_;
  Index steps_;
};

}  // namespace fedstein
