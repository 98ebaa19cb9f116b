// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/methods/points/keeping_agent.h"
#include "fedstein/methods/points/point_method.h"

namespace fedstein {

struct ScaffoldSetup : PointOptions {
  std::string weighting = "rows";  // rows | uniform
  double server_rate = 1;          // eta_g
};

// SCAFFOLD (Karimireddy, Kale, Mohri, Reddi, Stich and Suresh 2020, Algorithm 1, option II): FedAvg whose agents
// correct every step by what is known of the other agents' gradients, so that many local steps on skewed data do not
// drift. Signs here are those of scores (minus gradients). In a round with the agents S, from the server's x and c:
//
//   agent k    L steps  y <- y + eta (score_k(y) - c_k + c)
//              c_k+ = c_k - c + (y - x) / (L eta)
//              uploads y and c_k+ - c_k; c_k <- c_k+ once it is folded
//   server     x <- x + eta_g sum over S of n_k/n_S (y_k - x),   c <- c + sum over S of n_k/n (c_k+ - c_k)
//
// Twice FedAvg's traffic; d numbers of state at every agent (2 d while an upload waits) and at the server.
//
// Choices: plain steps, which the paper's is made of, with eta = 0.1 on the mean loss (held-out rows prefer
// 0.5 to 2 on Covertype and do not mind 0.5 on Twonorm: docs/results/rivals.md). With another step rule (y - x) /
// (L eta) has no meaning, but what it stands for has: it is the mean of the corrected scores on the way, and that is
// what is kept under every rule. The paper averages agents equally and so minimises the mean of the agents' losses;
// `weighting` = "uniform" does that, and "rows", the default, gives agents their share of all rows, as FedAvg does.
// With equal shards both are the same. The variates start at 0, as the paper recommends.
Algorithm scaffold_algorithm(const ParticleExtras& extras = {});

// Keeps c_k.
class ScaffoldAgent : public KeepingAgent {
 public:
  ScaffoldAgent(const AgentContext& context, const ScaffoldSetup& options);
  Update update(const Task& task) override;

 private:
  // The server adds the same change to c.
  Matrix kept_after(const Update& as_sent, const Matrix& /*waited*/) const override {
    return kept() + sent_part(as_sent, 1, kept());
  }

  AgentContext context_;
  ScaffoldSetup options_;
  LocalSvgd descent_;  // one particle: gradient steps
};

class ScaffoldServer : public PointServer, private SumFold {
 public:
  ScaffoldServer(const ServerContext& context, const ScaffoldSetup& options);
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  SumFold* sum_fold() override { return this; }

 private:
  std::vector<double> weights(Index agent) const override;
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  // From the mean of the agents' points, and what all their changes amount to in c.
  std::vector<Verdict> take(const DoubleMatrix& point, const DoubleMatrix& change, std::vector<Verdict> verdicts);

  ScaffoldSetup options_;
  Index agents_;
};

}  // namespace fedstein
