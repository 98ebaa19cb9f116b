// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/federated/forgetful_agent.h"
#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

struct SdsvgdSetup : ParticleOptions {
  double damping = 0;            // rho; 0: 1/|S|
  Index distillation_steps = 0;  // L'; 0: no averaged likelihood particles
};

// Stateless DSVGD (Li, Gan, Wang and Peng 2025, "Stateless distributed Stein variational gradient descent method for
// Bayesian federated learning", Neurocomputing 654): nobody keeps a likelihood factor per agent. One factor t, the
// average, stands for each of the K agents, q = p0 t^K. In a round with the agents S, from the server's N particles Z:
//
//   agent k   L SVGD steps from Z on   q / t exp(-L_k / alpha);  uploads its particles Z_k
//   server    Z <- Z + rho sum over S of (Z_k - Z)
//
// It is to DSVGD what stochastic expectation propagation (Li, Hernandez-Lobato and Turner 2015) is to expectation
// propagation: at rest the mean of log q_k - log q is 0, thus K log t = sum of the log likelihoods, and q the
// posterior; but each agent's own factor is taken for the average of all, which is further off the more agents differ.
//
// What t is: with L' = 0, the default, what q says, t = (q / p0)^(1/K), so that an agent's target is
// q^(1 - 1/K) p0^(1/K) exp(-L_k / alpha) and nothing but Z is kept or sent. With L' > 0 the server keeps N averaged
// likelihood particles as the paper does, moves them by L' SVGD steps a round, from where they are, to
// p0 t = p0^(1 - 1/K) q^(1/K), and sends them too; agents take their KDE for it. With few particles in many dimensions
// that fails: away from its particles a KDE is a pull to the nearest one, and q / t pushes Z away from it for ever
// (Waveform, K = 10, N = 6, L' = 200: log-likelihood -154 after 40 rounds).
//
//   task    Z (N x d); with L' > 0 the averaged likelihood particles (N x d)
//   update  Z_k (N x d)
//
// The abstract is all that we could read of the paper: who computes what, what is kept and what is averaged are its,
// the formulas are ours. So are the fold (P-DSVGD's mean) and L' = 0; the paper computes its densities "from the
// gradient perspective" against the curse of dimensionality, in a way that we do not know. Before the first round q is
// the prior and t a constant.
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
  VersionedBelief belief_;  // Z, and with L' > 0 the averaged likelihood particles
};

}  // namespace fedstein
