// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/forgetful_agent.h"
#include "fedstein/methods/langevin/langevin.h"

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
// Choices. A shard counts 1/f_k, f_k the share of all turns that it gets (Ahn et al.'s selection frequency): the
// estimate of the global score is unbiased then, and only then. `shard_weight` says what the scheduler does:
//
//   "rows"      1/f_k = n/n_k: turns by rows (WeightedByData). With equal shards the next one is the same
//   "agents"    1/f_k = K: equal turns (RoundRobin, RandomOne, RandomFraction), the right one for unequal shards there
//   "released"  1, as in the released code, whose chains then sample far too wide a posterior
//
// a0 as for SGLD: 0.01 is the DSVGD paper's, 0.001 better on Covertype (docs/results/rivals.md).
//
// Within a trajectory the target is p0 lik_k^(1/f_k), not the posterior: the bias falls with L x step and is what FSGLD
// corrects. By rows an agent without rows never has a turn, and if it is given one it returns its chains as they came;
// with equal turns its turns count, and it moves them by the prior alone.
class DsgldAgent : public ForgetfulAgent {
 public:
  DsgldAgent(const AgentContext& context, const LangevinOptions& options)
      : ForgetfulAgent("dsgld agent"), context_(context), options_(options) {}

  Update update(const Task& task) override;

 private:
  AgentContext context_;
  LangevinOptions options_;
};

// 1/f_k by the setting; 0 by rows for an agent without any. "agents" throws InvalidArgument when K is not known.
double shard_weight(const AgentContext& context, const LangevinOptions& options);

// An agent's trajectory of a round: L steps on  p0 lik_k^(weight/alpha)  and whatever terms the caller adds.
Particles trajectory(const AgentContext& context, const LangevinOptions& options, const Task& task, const Terms& more);

Algorithm dsgld_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
