// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/methods/points/point_method.h"

namespace fedstein {

// FedSGD, the baseline of McMahan et al. (2017): one gradient per agent and round. With the agents S of a round,
//
//   g_k = gradient of agent k's local loss at the server's w, over all its rows
//   w  <- one step along  - sum over S of n_k / n_S g_k
//
// Choices: the server's step rule is the paper's AdaGrad and goes on over the rounds, as a single run of it would, for
// its memory is worth more than one step (McMahan's is step_rule = "plain"). With `prior` the server adds it. The noise
// level of a regression network starts at its prior draw: nobody has looked at data before the first gradient.
Algorithm fedsgd_algorithm(const ParticleExtras& extras = {});

class FedSgdAgent : public ForgetfulAgent {
 public:
  explicit FedSgdAgent(const AgentContext& context) : context_(context) {}
  Update update(const Task& task) override;

 private:
  AgentContext context_;
};

class FedSgdServer : public PointServer, private SumFold {
 public:
  FedSgdServer(const ServerContext& context, const PointOptions& options);
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  SumFold* sum_fold() override { return this; }

 protected:
  std::vector<Matrix> memory() const override { return memory_; }
  void recall(std::vector<Matrix> memory) override;

 private:
  std::vector<double> weights(Index agent) const override { return {weight_of(agent)}; }
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  // One step along the mean of the agents' scores.
  std::vector<Verdict> take(Matrix direction, std::vector<Verdict> verdicts);

  const Model* model_;
  LocalSvgd descent_;           // its step rule and bounds
  double prior_;                // weight of the prior beside the mean loss, alpha / n; 0: none
  std::vector<Matrix> memory_;  // of the step rule; empty before the first step
};

}  // namespace fedstein
