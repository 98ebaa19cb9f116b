// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "fedstein/methods/points/point_method.h"

namespace fedstein {

struct FedPaSetup : PointOptions {
  Index samples = 4;          // l, of an agent's round
  double shrinkage = 0.01;    // rho
  Index burn_in_rounds = 20;  // of FedAvg
  double server_rate = 1;     // of the server's step
};

// Federated posterior averaging (Al-Shedivat, Gillenwater, Xing and Rostamizadeh 2021, "Federated Learning via
// Posterior Averaging: A New Perspective and Practical Algorithms"). Where agents' losses are quadratic the global
// optimum is the mean of their optima mu_k weighted by the inverses of their posteriors' covariances, which one finds
// by steps along sum_k delta_k, delta_k = Sigma_k^-1 (w - mu_k). In a round with the agents S, from the server's w:
//
//   agent k   L minibatch steps on its local loss, in l + 1 parts of equal length; the first is burn-in, the means of
//             the iterates over each of the others are samples of its posterior (iterate-averaged SG-MCMC)
//             delta_k = Sigma_l^-1 (w - mean of the samples),   Sigma_l = r I + (1 - r) S_l,  r = 1 / (1 + (l - 1)
//             rho), S_l the samples' covariance; uploads w - delta_k
//   server    w <- w - eta sum over S of n_k/n_S delta_k
//
// delta_k needs no d x d matrix: Sigma_l / r = I + rho sum over samples of (x - mean)(x - mean)' grows by one rank with
// every sample, and its inverse by one vector, l^2 d operations in all (posterior_delta below).
//
// As in the paper the first `burn_in_rounds` rounds are FedAvg's: far from the optimum samples show where the agent is
// going, not how wide its posterior is. rho = 0 is FedAvg with averaged iterates. FedAvg's traffic; agents keep
// nothing.
//
// Rows come epoch by epoch, and over whole epochs minibatches make up for each other: samples that are means of several
// epochs lie closer together than the posterior is wide, and a large rho then makes steps too long.
//
// Choices. rho = 0.01 and four samples after a fifth of the steps are what the authors' released code gives as its
// example (EMNIST: five epochs, the first of them burn-in, the first 400 of 1500 rounds FedAvg's); parts of equal
// length stand for its epochs, and our runs are shorter. The steps are plain ones of 0.1 on the mean loss, and the
// server's is plain too; the example has momentum 0.9 at both ends. The paper lets any optimiser stand at the server.
Algorithm fedpa_algorithm(const ParticleExtras& extras = {});

// Sigma_l^-1 (w - mean of the samples), at least one sample; see above. In double: differences of samples are small.
DoubleMatrix posterior_delta(const DoubleMatrix& w, const std::vector<DoubleMatrix>& samples, double rho);

class FedPaAgent : public ForgetfulAgent {
 public:
  FedPaAgent(const AgentContext& context, const FedPaSetup& options);
  Update update(const Task& task) override;

 private:
  AgentContext context_;
  FedPaSetup options_;
  LocalSvgd descent_;  // one particle: gradient steps
};

class FedPaServer : public PointServer {
 public:
  FedPaServer(const ServerContext& context, const FedPaSetup& options);
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;

 private:
  double rate_;
  std::function<void(MatrixRef)> constrain_;  // the model's box; empty: none
};

}  // namespace fedstein
