// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/forgetful_agent.h"
#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

struct SdsvgdSetup : ParticleOptions {
  double damping = 0;              // rho; 0: 1/|S|
  Index distillation_steps = 200;  // L'
};

// Stateless DSVGD (Li, Gan, Wang and Peng 2025, "Stateless distributed Stein variational gradient descent method for
// Bayesian federated learning", Neurocomputing 654): nobody keeps a likelihood factor per agent. The server has N
// global particles Z of q and N averaged likelihood particles, which stand for one factor t that is the same for all K
// agents, q = p0 t^K. In a round with the agents S:
//
//   agent k   L SVGD steps from Z on   q / t exp(-L_k / alpha);  uploads its particles Z_k
//   server    Z <- Z + rho sum over S of (Z_k - Z)
//             averaged likelihood particles: L' SVGD steps, from where they are, on  p0 t = p0^(1 - 1/K) q^(1/K)
//
//   task    Z (N x d), averaged likelihood particles (N x d)
//   update  Z_k (N x d)
//
// It is to DSVGD what stochastic expectation propagation (Li, Hernandez-Lobato and Turner 2015) is to expectation
// propagation: at rest the mean of log q_k - log q is 0, thus K log t = sum of the log likelihoods, and q the
// posterior; but each agent's own factor is taken for the average of all, which is further off the more agents differ.
//
// The abstract is all that we could read of the paper: who computes what, what is kept and what is averaged are its,
// the formulas are ours. So are the fold (P-DSVGD's mean), the target of the averaged likelihood particles, and KDEs
// in logarithms for the paper's densities "from the gradient perspective". Before the first round q is the prior and t
// a constant.
Algorithm sdsvgd_algorithm(const ParticleExtras& extras = {});

class SdsvgdAgent : public ForgetfulAgent {
 public:
  SdsvgdAgent(const AgentContext& context, const SdsvgdSetup& options);
  Update update(const Task& task) override;

 private:
  AgentContext context_;
  SdsvgdSetup options_;
  LocalSvgd svgd_;
};

class SdsvgdServer : public ServerSide {
 public:
  SdsvgdServer(const ServerContext& context, const SdsvgdSetup& options);
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    return belief_.plan(round, agents);
  }
  std::string objection(const Update& update) const override { return objection_to(update, {belief_.front()}); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return belief_.front(); }
  std::string save() const override { return belief_.save("sdsvgd server"); }
  void restore(const std::string& bytes) override { belief_.restore(bytes, "sdsvgd server"); }

 private:
  const Model* model_;
  SdsvgdSetup options_;
  LocalSvgd svgd_;
  Index agents_;            // K
  VersionedBelief belief_;  // Z and the averaged likelihood particles
};

}  // namespace fedstein
