// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/langevin/langevin.h"
#include "fedstein/methods/points/point_method.h"

namespace fedstein {

struct FaldSetup : LangevinOptions {
  double shared_noise = 1;  // tau
};

// Federated averaging Langevin dynamics (Deng, Zhang, Ma, Song and Lin 2021; analysed by Plassier, Durmus and Moulines
// 2023, "Federated Averaging Langevin Dynamics: Toward a unified theory and new algorithms", whose form this is):
// FedAvg whose agents take Langevin steps. In a round with the agents S, for each of N independent chains, from the
// server's theta:
//
//   agent k   L steps   theta_k += step/2 [ d log p0 + n/n_k 1/alpha d log p(data_k | theta_k) ]
//                                  + sqrt(step) ( sqrt(tau) Z + sqrt((1 - tau) n_S/n_k) Z_k )
//   server    theta <- sum over S of n_k/n_S theta_k
//
// Z is the same at all agents (they know the seed; nothing travels for it), Z_k each agent's own. Whatever tau is, the
// mean of the noise has variance `step`: with L = 1 and all agents the server's chains do SGLD. With more steps agents
// with different data drift apart, which bends the law that is sampled; VR-FALD* (vr_fald.h) is the cure.
//
//   task    chains (N x d), the rows n_S of the round's agents (1 x 1)
//   update  chains (N x d)
//
// Choices. The paper's step is constant and its rounds end at random, with probability p_c a step; here a round is L
// steps, as for every method, and steps fall as SGLD's do (sgld.h). The paper's agents count the same; here they count
// by rows, which is the same for equal shards. tau = 1 is the default of the authors' released code. With some of the
// agents a round n_k/n_S in the noise keeps its variance (ours; when one of them is lost, it is a little larger). An
// agent without rows returns its chains as they came.
class FaldAgent : public ForgetfulAgent {
 public:
  FaldAgent(const AgentContext& context, const FaldSetup& options)
      : ForgetfulAgent("fald agent"), context_(context), options_(options) {}
  Update update(const Task& task) override;

 private:
  AgentContext context_;
  FaldSetup options_;
};

class FaldServer : public PointServer {
 public:
  FaldServer(const ServerContext& context, const FaldSetup& options);
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;

 private:
  std::vector<Index> rows_;  // of each agent
};

// For VR-FALD*, which is made of the same parts. The last matrix of a task: n_S.
Matrix rows_of_round(const std::vector<Index>& rows, const std::vector<Index>& agents);
// An agent's round: L steps from the task's chains on  p0 lik_k^(n/n_k/alpha)  and whatever terms the caller adds.
Particles fald_trajectory(const AgentContext& context, const FaldSetup& options, const Task& task, const Terms& terms);
std::vector<Setting> fald_settings();
FaldSetup fald_options(const Settings& settings);

Algorithm fald_algorithm(const ParticleExtras& extras = {});

}  // namespace fedstein
