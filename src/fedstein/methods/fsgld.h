// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/methods/langevin/chain_server.h"
#include "fedstein/methods/langevin/surrogate.h"

namespace fedstein {

struct FsgldSetup : LangevinOptions {
  Index surrogate_steps = 2000;
};

// Federated stochastic gradient Langevin dynamics (El Mekkaoui, Mesquita, Blomstedt and Kaski, UAI 2021): DSGLD with
// conducive gradients. Every agent approximates its likelihood once by a Gaussian q_k; a trajectory at agent k adds
//
//   g_k(theta) = d log q(theta) - 1/f_k d log q_k(theta),   q = prod_j q_j,   1/f_k = n/n_k,
//
// to DSGLD's score (its update rule; f_k is the share of turns, here as `shard_weight` says). Over the agents its mean
// is zero, so the estimate stays unbiased; where q_k is good the sum is the global score at every agent, and chains no
// longer drift to the shard they are at, however long they stay.
//
// Our choices: q_k has a diagonal precision (2 d numbers, for any d; theirs are Gaussians too, from local SGLD runs)
// and is a straight line fitted to the likelihood's score (surrogate.h), which needs no proper local likelihood
// (separable classes have none) and no step size that fits the shard. Agents are met one by one here, so there is no
// moment at which all q_k are known: an agent's q_k travels with its first update, and until all have been heard those
// that have stand for the rest, q^(n / rows heard). An agent that has heard of nobody thus does DSGLD. Tasks carry the
// product of the other agents' surrogates.
//
// A straight line has no end: unlike a logistic likelihood's, its score grows with theta. Far from q's mean, where
// prior draws start, a line drives chains out where a likelihood no longer pulls them back: with DSGLD's a0 = 0.01 on
// Covertype, K = 20, 21 of 100 rounds diverged. So g_k is followed to ten deviations of q around its mean, coordinate
// by coordinate, and is constant beyond. All agents do so at the same places, so that the mean of g_k over the agents
// is still zero everywhere; and near the posterior nothing changes.
//
//   task    chains (m x d), their numbers (m x 1), prod_{j != k} q_j (2 x d), rows of those j (1 x 1)
//   update  chains, their numbers, and once q_k (2 x d)
class FsgldAgent : public AgentSide {
 public:
  FsgldAgent(const AgentContext& context, const FsgldSetup& options) : context_(context), options_(options) {}

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override { return sent_ && own_ ? own_->size() : 0; }

 private:
  AgentContext context_;
  FsgldSetup options_;
  std::optional<Surrogate> own_;  // q_k: a pure function of the data, found when first asked for
  bool sent_ = false;             // the server has it
  Index pending_round_ = 0;       // 0: none
};

class FsgldServer : public ServerSide {
 public:
  FsgldServer(const ServerContext& context, const FsgldSetup& options);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return chains_.particles(); }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 private:
  std::string objection_to_surrogate(const Matrix& surrogate) const;

  std::vector<Index> rows_;  // of each agent
  ChainServer chains_;
  std::map<Index, Surrogate> surrogates_;  // of the agents heard so far
};

Algorithm fsgld_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
