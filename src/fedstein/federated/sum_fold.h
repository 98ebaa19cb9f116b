// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/federated/messages.h"

namespace fedstein {

// A fold that needs nothing of the agents' updates but their sum, so that a server can fold without seeing any one of
// them: masks that cancel, homomorphic encryption, sums formed on the way. ServerSide::sum_fold() gives it.
//
//   agent k   multiplies matrix i of its update with weights(k)[i]
//   somebody  adds up the products of the agents that took part
//   server    fold_sum(round, sum, those agents)
//
// Weights depend on the agent alone, never on who else takes part: an agent may drop out between weighting and adding.
// A sum cannot be checked as its parts can. Shapes and finite values are all that fold_sum() knows to object to.
class SumFold {
 public:
  virtual ~SumFold() = default;

  // One number for every matrix of the agent's update.
  virtual std::vector<double> weights(Index agent) const = 0;

  // As ServerSide::fold() of the updates of these agents, up to rounding. Throws InvalidArgument for a sum of other
  // shapes and Divergence for one that cannot be folded; the server is then as it was.
  virtual std::vector<Verdict> fold_sum(Index round,
                                        const std::vector<DoubleMatrix>& sum,
                                        const std::vector<Index>& agents) = 0;
};

// The sum that fold_sum() takes, formed in the open and in double precision.
std::vector<DoubleMatrix> sum_of(const SumFold& fold, const std::vector<Update>& updates);

// Throws InvalidArgument unless there are agents, ascending and each once, and the sum has the shapes of `expected`,
// Divergence where a value is not finite.
void check_sum(const std::vector<DoubleMatrix>& sum, const std::vector<Index>& agents, const Belief& expected);

}  // namespace fedstein
