// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/methods/points/mean_server.h"

namespace fedstein {

struct FedNovaSetup : PointOptions {
  std::string weighting = "rows";  // rows | uniform
  Index local_epochs = 0;          // 0: local_steps
};

// FedNova (Wang, Liu, Liang, Joshi and Poor 2020, "Tackling the Objective Inconsistency Problem in Heterogeneous
// Federated Optimization", equation 6 with plain local steps). Where agents take different numbers of steps, the mean
// of their weights minimises another loss than the agents': one in which whoever takes more steps counts for more.
// FedNova takes the mean of their moves per step:
//
//   agent k   y_k: tau_k minibatch steps on its local loss, from the server's x
//   server    x <- x + tau_S sum over S of p_k (y_k - x) / tau_k,   p_k = n_k/n_S,   tau_S = sum over S of p_k tau_k
//
// FedAvg's traffic: the server knows every tau_k, because it knows how many rows everybody has.
//
// `local_epochs` = E > 0 is how the paper's agents come to differ: E passes over their rows, tau_k = ceil(E n_k /
// min(batch, n_k)). With `local_steps` alone everybody takes the same number, and the method is FedAvg.
//
// Choices: plain steps, eta = 0.1 on the mean loss. Under another step rule moves are divided by tau_k all the same,
// where the paper divides by the weights that the rule gives the gradients. No momentum at the server. The paper was
// not at hand in full: its equation was checked against a public implementation.
Algorithm fednova_algorithm(const ParticleExtras& extras = {});

// tau of an agent with so many rows.
Index local_steps_of(Index rows, const FedNovaSetup& options);

class FedNovaAgent : public ForgetfulAgent {
 public:
  FedNovaAgent(const AgentContext& context, const FedNovaSetup& options);
  Update update(const Task& task) override;

 private:
  AgentContext context_;
  FedNovaSetup options_;
  LocalSvgd descent_;  // one particle: gradient steps
};

class FedNovaServer : public MeanServer {
 public:
  FedNovaServer(const ServerContext& context, const FedNovaSetup& options);

 private:
  // An agent counts p_k / tau_k in the mean.
  double count_of(Index agent) const override;
  void take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& agents) override;
  double tau_of(Index agent) const { return taus_.at(static_cast<std::size_t>(agent)); }

  std::vector<double> taus_;  // at least 1
};

}  // namespace fedstein
