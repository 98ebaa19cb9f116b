// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/federated/pending_update.h"
#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/gaussian/gaussian_projection.h"

namespace fedstein {

struct GaussianSetup {
  Index particles = 50;             // draws from q to predict with
  Index local_steps = 200;          // L
  Index batch = 100;                // rows per step, min(batch, n_k)
  double temperature = 1;           // alpha
  double rate = 0.1;                // of the local fixed-point steps
  Index pairs = 4;                  // antithetic draws per step, of the mean field
  std::string covariance = "auto";  // auto | diagonal
  std::string start = "auto";       // auto | prior | draw
  double damping = 0;               // rho of the server; 0: 1/|S|
};

// Partitioned variational inference (Bui et al. 2018; Ashman et al. 2022) with Gaussian q = p0 prod_k t_k, and global
// variational inference (Sato 2001), which is the same with all data in one factor.
//
// A round at agent k: L steps of the damped fixed point of its Property 4, from the server's q,
//
//   t_k <- (1 - rate) t_k + rate d/dmu E_q[-L_k / alpha],    q = cavity t_k,    cavity = q(i-1) / t_k(i-1)
//
// in natural parameters; the upload is q. The server takes q(i) = q(i-1) + rho sum_k (q_k - q(i-1)), rho = 1/|S|: one
// agent replaces it, several are damped. Settling, the agent adds rho (q_k - q(i-1)) to its factor.
//
// Choices of ours:
// - `rate` stays for the first half of the L steps and falls to 0 over the second; with minibatches it starts at
//   rate/(1 + v) on the agent's visit v = 0, 1, ... The fixed point does not depend on it, and the noise of minibatches
//   and draws is averaged away. Under a wide prior the first rounds with 10 of 5920 rows a step still wander (Twonorm,
//   scale 0.01, GVI after 10 rounds: log-likelihood -0.18; with 100 rows -0.065), so the default is the larger batch.
// - A step that would make q improper, or move it far, is shortened (within_reach); factors may be improper.
// - One or two parameters: full covariance, by quadrature. More: mean field, by reparameterised gradients, with exact
//   second derivatives where the model has them.
// - The prior need not be Gaussian. The server holds its factor t_0, a fixed point of t_0 = d/dmu E_q[log p0], as if
//   the prior were one more agent that is visited in every round; for a Gaussian prior t_0 is p0 itself and never
//   changes. It must cover all of R^d: a uniform prior is refused.
// - The first q is t_0, except for models without known curvature, that is networks: the mean of their prior is a
//   saddle point, so the first agents start from q = N(the usual random initialisation, a tenth of the prior's
//   deviation).
class PviAgent : public AgentSide {
 public:
  PviAgent(const AgentContext& context, const GaussianSetup& options);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 protected:
  // For other ways to q_k (FedEP's). owner: names the method in saved state, a literal.
  PviAgent(const char* owner, const AgentContext& context, const GaussianSetup& options);
  // q_k of a round; throws Divergence where there is none.
  virtual NaturalGaussian answer(const Task& task) const;
  // q(i-1), or before anybody's data where to begin.
  NaturalGaussian starting_q(const Task& task) const;
  NaturalGaussian cavity_of(const Task& task) const { return from_belief(task.belief) - from_belief(factor_); }
  const AgentContext& context() const { return context_; }
  const GaussianSetup& options() const { return options_; }

 private:
  NaturalGaussian target_of(const NaturalGaussian& q, const Differentiable& f, Index round, Index step) const;

  const char* owner_;
  AgentContext context_;
  GaussianSetup options_;
  NormalQuadrature rule_;  // empty for a mean field
  Index visits_ = 0;       // folded so far
  Belief factor_;          // t_k
  PendingUpdate pending_;  // q(i-1), from which q_k moved away
};

class PviServer : public ServerSide, private SumFold {
 public:
  PviServer(const ServerContext& context, const GaussianSetup& options);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    return belief_.plan(round, agents);
  }
  std::string objection(const Update& update) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  SumFold* sum_fold() override { return this; }
  // Draws from q, from the same noise in every round.
  Particles particles() const override;
  // Of a q with full covariance.
  DoubleVector log_density(const ConstMatrixRef& theta) const override;
  std::string save() const override;
  void restore(const std::string& bytes) override;

  NaturalGaussian posterior() const { return from_belief(belief_.parts()); }

 private:
  std::vector<double> weights(Index /*agent*/) const override { return {1, 1}; }
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  // Damped by all the agents' moves q_k - q(i-1) together.
  std::vector<Verdict> move_by(const NaturalGaussian& moves, Index round, const std::vector<Index>& agents);
  // Moves t_0, and q with it, to the fixed point of t_0 = d/dmu E_q[log p0].
  void refresh_prior(NaturalGaussian& q, NaturalGaussian& prior, Index most_steps) const;

  const Model* model_;
  GaussianSetup options_;
  std::uint64_t seed_;
  NormalQuadrature rule_;
  Matrix prior_noise_;                // of the mean field's expectations of log p0
  VersionedBelief belief_{Belief()};  // q
  Belief prior_;                      // t_0
};

Algorithm pvi_algorithm();
Algorithm gvi_algorithm();

}  // namespace fedstein
