// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/algorithm/algorithm.h"

namespace fedstein {

struct PmdSetup {
  Index particles = 6;          // N
  Index local_steps = 200;      // L
  Index batch = 100;            // rows per step, min(batch, n)
  double temperature = 1;       // alpha
  std::string start = "prior";  // prior | near-zero
  double step = 0.2;            // eta_t = step t^-step_decay
  double step_decay = 0;
  double bandwidth = 0.55;  // lambda_t = bandwidth t^-bandwidth_decay
  double bandwidth_decay = 0.3;
};

// Particle mirror descent (Dai et al. 2016), centralised: q is a weighted KDE, q_1 the prior. Step t = 1, 2, ...
//
//   draw N places theta_n from q_t
//   log w_n = eta_t ( log p0 + n/batch loglik / alpha - log q_t )(theta_n),  normalised
//   q_(t+1) = sum_n w_n N(theta_n, lambda_(t+1)^2 I)
//
// The particles to predict with are the places that the next step begins with, N draws from q.
//
// Choices of ours: the draws are stratified (one uniform number places N evenly spaced points on the weights), which
// loses fewer particles than independent ones. The proof has eta_t fall as 1/t; with few particles the draws then
// lose their spread, by chance, faster than the weights restore it, so eta_t is constant unless told otherwise (a
// constant converges too: arXiv 2409.13272, of 2024, for a scheme of this kind). lambda_t^2 must stay below eta_t
// times the posterior's variance, for every step widens q by it. From prior draws lambda = 0.55 is the best of 0.55,
// 0.1 and 0.02 by held-out rows, whatever eta from 0.2 to 0.0002 (Twonorm, Covertype): it must carry the particles to
// the posterior first. From near zero 0.1 is better (docs/results/rivals.md).
//
// Networks are refused: their first weights are no prior draws, and the first log q would be wrong.
class PmdAgent : public AgentSide {
 public:
  PmdAgent(const AgentContext& context, const PmdSetup& options) : context_(context), options_(options) {}

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 private:
  // q_t between steps; without centres, what the start was drawn from.
  struct State {
    Index steps = 0;
    Matrix centres;  // N x d
    Matrix weights;  // N x 1, sum to 1
  };
  double bandwidth(Index t) const;
  // N draws from q_t of the step t; the noise depends on (seed, t) alone.
  Particles draw(const State& state, Index t) const;
  DoubleVector log_density(const State& state, const Particles& places, Index t) const;

  AgentContext context_;
  PmdSetup options_;
  State state_;
  Index pending_round_ = 0;  // 0: none
  State pending_;
};

Algorithm pmd_algorithm();

}  // namespace fedstein
