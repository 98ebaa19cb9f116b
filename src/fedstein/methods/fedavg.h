// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/methods/points/point_method.h"

namespace fedstein {

struct FedAvgSetup : PointOptions {
  std::string weighting = "rows";  // rows | released
  double proximal = 0;             // mu of FedProx
};

// Federated averaging (McMahan, Moore, Ramage, Hampson and Aguera y Arcas 2017, "Communication-Efficient Learning of
// Deep Networks from Decentralized Data", Algorithm 1). A round with the agents S:
//
//   w_k: L minibatch steps on agent k's local loss, from the server's w
//   w <- sum over S of n_k / n_S w_k
//
// With one agent a round, as our paper runs it, its weights replace the server's. Choices: the steps are the paper's
// AdaGrad ("these apply for all schemes", table:hyperparams), fresh in every round, instead of McMahan's plain SGD
// (step_rule = "plain"); the loss has no prior unless `prior` says so (see point_method.h).
//
// `weighting` = "released" is what the released research code of our paper does with its one agent a round:
// w <- n_k/n w_k + (1 - n_k/n) w with n the rows of all agents, from a prior draw. K agents with equal shards then move
// the server 1/K as far; the paper's FedAvg curves are this form's.
Algorithm fedavg_algorithm(const ParticleExtras& extras = {});

// With proximal > 0 the agent of FedProx.
class FedAvgAgent : public ForgetfulAgent {
 public:
  FedAvgAgent(const AgentContext& context, const FedAvgSetup& options);
  Update update(const Task& task) override;

 private:
  AgentContext context_;
  FedAvgSetup options_;
  LocalSvgd descent_;  // one particle: gradient steps
};

class FedAvgServer : public PointServer, private SumFold {
 public:
  FedAvgServer(const ServerContext& context, const FedAvgSetup& options);
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  SumFold* sum_fold() override { return this; }

 private:
  std::vector<double> weights(Index agent) const override { return {weight_of(agent)}; }
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  // The server's next weights, from the mean of the agents' weights.
  std::vector<Verdict> take(DoubleMatrix next, std::vector<Verdict> verdicts);

  bool released_;
};

std::vector<Setting> fedavg_settings();
FedAvgSetup fedavg_options(const Settings& settings);

}  // namespace fedstein
