// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/pending_update.h"
#include "fedstein/methods/fald.h"

namespace fedstein {

struct VrFaldSetup : FaldSetup {
  Index refresh = 1;  // rounds between two references of an agent
};

// VR-FALD* (Plassier, Durmus and Moulines 2023): FALD with control variates, against both the drift of agents whose
// data differ and the noise of minibatches. Agent k has a reference point Y_k for every chain and c_k, the score of its
// whole likelihood there; C is the sum of all c_k. With the rows B of a step
//
//   d log p(data_k | theta_k)  becomes  [ score_B(theta_k) - score_B(Y_k) ] + n_k/n C
//
// in FALD's step. Over the agents this is the same in the mean, but every agent now follows the score of all, corrected
// by what has changed at home since its reference.
//
//   task    chains (N x d), C (N x d), the rows n_S of the round's agents (1 x 1)
//   update  chains (N x d), what c_k has changed by (N x d)
//
// 2 N d numbers of state at every agent, twice FALD's traffic, and a pass over all its rows with each new reference.
//
// Choices. In the paper one reference point is drawn anew at all agents at once, with probability q a step, and costs
// an exchange of its own. Here an agent takes the chains that it receives as its next reference, every `refresh`
// rounds; c_k travels with the update, and is used from the agent's next round on, when C knows it. An agent's first
// round is thus FALD's. Until all agents with rows have been heard, those that have stand for the rest: C n / rows
// heard. What a codec loses of c_k stays in C until the next reference.
class VrFaldAgent : public AgentSide {
 public:
  VrFaldAgent(const AgentContext& context, const VrFaldSetup& options) : context_(context), options_(options) {}

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override { return size_of(kept_) + size_of(pending_.values()); }

 private:
  void refuse_unlike(const std::vector<Matrix>& kept) const;

  AgentContext context_;
  VrFaldSetup options_;
  std::vector<Matrix> kept_;  // Y_k, c_k; empty before the first folded round
  PendingUpdate pending_;     // the next ones; without values when they stay
};

class VrFaldServer : public PointServer {
 public:
  VrFaldServer(const ServerContext& context, const VrFaldSetup& options);
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;

 protected:
  std::vector<Matrix> memory() const override { return {heard_}; }
  void recall(std::vector<Matrix> memory) override;

 private:
  std::vector<Index> rows_;  // of each agent
  Matrix heard_;             // 1 x K: 1 for the agents whose c_k is in C
};

Algorithm vr_fald_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
