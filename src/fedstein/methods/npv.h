// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/federated/forgetful_agent.h"
#include "fedstein/methods/particles/replace_server.h"

namespace fedstein {

struct NpvSetup {
  Index components = 6;         // N
  Index local_steps = 20;       // L-BFGS steps at most, for each mean and for the variances
  Index rows = 10000;           // at most, of a round
  double temperature = 1;       // alpha
  std::string start = "prior";  // prior | near-zero
  double start_deviation = 1;   // of every component
};

// Nonparametric variational inference (Gershman, Hoffman and Blei 2012), centralised: q = 1/N sum_n N(mu_n, s_n I) with
// variances s_n. With f = log p0 - L / alpha and the bound on the entropy of a mixture,
//
//   first order   L1 = 1/N sum_n f(mu_n) - 1/N sum_n log q_n,   q_n = 1/N sum_j N(mu_n; mu_j, (s_n + s_j) I)
//   second order  L2 = L1 + 1/N sum_n s_n/2 trace(Hessian of f at mu_n).
//
// A round: every mean in turn by L-BFGS on L1, then all log variances together by L-BFGS on L2: the order of the
// authors' npv_run.m ("incremental"), which ends each L-BFGS at 5000 steps and makes 10 rounds at most.
//
// Choices of ours: `local_steps` is 20, for the next round goes on where this one stopped. The authors' code reads all
// rows in every evaluation; with more than `rows` a round takes that many of them at random,
// counted n/rows times, the same ones throughout the round because L-BFGS needs a fixed objective. Where the trace is
// not negative (between modes) L2 has no maximum in s_n, and the prior's trace stands in. Predictions are by one draw
// from every component, from the same noise in every round. The belief is one N x (d + 1) matrix, the last column log
// s_n.
class NpvAgent : public ForgetfulAgent {
 public:
  NpvAgent(const AgentContext& context, const NpvSetup& options)
      : ForgetfulAgent("npv agent"), context_(context), options_(options) {}

  Update update(const Task& task) override;

 private:
  // What f is in a round: rows, and the temperature at which they stand for all.
  struct Reading {
    Matrix x;
    Vector y;
    double temperature;
  };
  Reading read(Index round) const;
  void move_mean(const Reading& reading, DoubleMatrix& means, const DoubleVector& variances, Index n) const;
  void fit_variances(const Reading& reading, const DoubleMatrix& means, DoubleVector& log_variances) const;
  DoubleVector traces(const Reading& reading, const DoubleMatrix& means) const;

  AgentContext context_;
  NpvSetup options_;
};

class NpvServer : public ReplaceServer {
 public:
  NpvServer(const ServerContext& context, const NpvSetup& options);
  Particles particles() const override;
  // N x (d + 1): means and log variances.
  Matrix components() const { return ReplaceServer::particles(); }

 private:
  std::uint64_t seed_;
};

Algorithm npv_algorithm();

}  // namespace fedstein
