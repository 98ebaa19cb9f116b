// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/methods/points/mean_server.h"

namespace fedstein {

struct MimeSetup : PointOptions {
  std::string weighting = "rows";  // rows | uniform
  bool lite = false;               // MimeLite
};

// Mime (Karimireddy, Jaggi, Kale, Mohri, Reddi, Stich and Suresh 2020, "Mime: Mimicking Centralized Stochastic
// Algorithms in Federated Learning", Algorithm 1, with momentum SGD as its base): local steps use the server's momentum
// as it stands and leave it alone, and are corrected as SVRG's. Signs are those of scores (minus gradients). From the
// server's x and m:
//
//   first exchange    agent k   uploads score_k(x) over all its rows
//                     server    c <- sum over S of n_k/n_S score_k(x)
//   second exchange   agent k   L steps, each with the same rows at y and at x:
//                               y <- y + eta ((1 - beta) (score_k(y) - score_k(x) + c) + beta m)
//                     server    x <- sum over S of n_k/n_S y_k,   m <- (1 - beta) c + beta m
//
// Agents keep nothing. What the exchange costs: c must be known before the first local step, so that an update of x
// takes two of our rounds. At equal rounds Mime takes half of FedAvg's local steps, and a pass over all rows besides; a
// step is two gradients. Traffic of each round: 3 d down, d up. `lite` is the paper's MimeLite, which has no c: one
// round, 2 d each way (y and score_k(x) up), a step is one gradient, and agents drift as FedAvg's do.
//
// When fewer than all take part, the agents of the two exchanges differ: c is then a sample's mean, as in the paper,
// but another sample's. Agents that take turns one by one are not for Mime: of an even number, every second one would
// never be asked for its gradient, and the others never for a step.
//
// Choices: eta = 0.1 on the mean loss; `momentum` is beta = 0.9; the server's rate is 1. Where few of many agents take
// part, many local steps follow c's noise: on Twonorm (4 of 20) 20 steps reach a held-out log-likelihood of -0.050, 200
// of -0.109. The paper was not at hand in full: the order of things was checked against fedjax; the form of the
// momentum, with 1 - beta, is the paper's as we know it.
Algorithm mime_algorithm(const ParticleExtras& extras = {});

class MimeAgent : public ForgetfulAgent {
 public:
  MimeAgent(const AgentContext& context, const MimeSetup& options);
  Update update(const Task& task) override;

 private:
  // Over all rows.
  Matrix score_at(const Matrix& x, Index round) const;

  AgentContext context_;
  MimeSetup options_;
  LocalSvgd descent_;  // one particle: gradient steps
};

// Its belief is x, m and c; of MimeLite x and m.
class MimeServer : public MeanServer {
 public:
  MimeServer(const ServerContext& context, const MimeSetup& options);

 private:
  void take(const std::vector<DoubleMatrix>& mean, const std::vector<Index>& agents) override;
  // m after a round with the mean score c.
  Matrix momentum_after(const DoubleMatrix& c) const;

  MimeSetup options_;
};

}  // namespace fedstein
