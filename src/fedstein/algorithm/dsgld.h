// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/algorithm/langevin.h"

namespace fedstein {

// Distributed stochastic gradient Langevin dynamics (Ahn, Shahbaba and Welling 2014): chains travel between the agents
// and make a trajectory of L steps at each, on that agent's rows alone, which stand for all data:
//
//   theta += step/2 [ d log p0 + n/n_k 1/alpha d log p(data_k | theta) ] + sqrt(step) N(0, I)
//
// With step = a0 (0.5 + (i-1) L + l)^-0.55 in round i: time is counted over all local steps of the federation, as the
// DSVGD paper does. The server lends the scheduled agent ceil(N/K) of its N chains and all N predict; chain_server.h
// says which ones, and why in random order (Ahn et al. and the released code draw the agent at random for the same
// reason). Trajectories have the same length everywhere: the DSVGD paper's assumption.
//
// Choices. n/n_k makes the estimate of the global score unbiased when an agent's turn is as likely as its share of the
// rows: equal shards in turn, or WeightedByData. Within a trajectory the target is p0 lik_k^(n/n_k), not the posterior:
// the bias falls with L x step and is what FSGLD corrects. `shard_weight = "released"` leaves n/n_k out, as the
// released code does, whose chains then sample far too wide a posterior. An agent without rows returns its chains as
// they came.
class DsgldAgent : public AgentSide {
 public:
  DsgldAgent(const AgentContext& context, const LangevinOptions& options) : context_(context), options_(options) {}

  Update update(const Task& task) override;
  // Nothing is kept: the chains are the server's, and time is the round's number.
  void settle(const Verdict& /*verdict*/) override {}
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override { return 0; }

 private:
  AgentContext context_;
  LangevinOptions options_;
};

// n/n_k, or 1 with shard_weight = "released"; 0 for an agent without rows.
double shard_weight(const AgentContext& context, const LangevinOptions& options);

// An agent's trajectory of a round: L steps on  p0 lik_k^(weight/alpha)  and whatever terms the caller adds.
Particles trajectory(const AgentContext& context, const LangevinOptions& options, const Task& task, const Terms& more);

Algorithm dsgld_algorithm();

}  // namespace fedstein
