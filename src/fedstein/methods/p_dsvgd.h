// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/dsvgd.h"
#include "fedstein/stein/score_field.h"

namespace fedstein {

struct PDsvgdSetup : ParticleOptions {
  std::string fold = "mean";  // mean | svgd | barycentre | paper
  double damping = 0;         // rho; 0: 1/|S|, S the agents folded in a round
  Index server_steps = 200;   // L_s of the folds that run SVGD
  DistillationOptions distillation = {};
};

// Parallel DSVGD: several agents a round, damped so that they do not overshoot together:
//
//   t_k <- t_k (q_k / q(i-1))^rho,    q_k the KDE of agent k's own result
//
//   fold    agent uploads     server's next particles, from its Z
//   mean    q_k's particles   Z + rho sum_k (Z_k - Z)
//   svgd    q_k's particles   L_s SVGD steps on  q(i-1)^(1 - rho |S|) prod_k q_k^rho
//   barycentre  q_k's ones    the Wasserstein barycentre of Z, weight 1 - rho |S| or 0, and the Z_k, rho each
//   paper   local particles   L_s SVGD steps on  p0 prod over all K of kde(local_k) / p0        [eq.
//   particles_updates_server]
//
// `barycentre` is FedWBA's server (particles/barycentre.h; its agents, which do without factors, are not this
// method's). With all but `paper` an agent settles its factor when it next receives particles Z, of whatever round: a
// score field through t_k(Z) + rho (q_k(Z) - q(i-1)(Z)). Until then it keeps t_k, q_k and q(i-1): 4 N d numbers.
// `paper` is the paper's Algorithm with its own distillation, undamped; the server remembers the local particles of all
// K agents.
Algorithm p_dsvgd_algorithm(const ParticleExtras& extras = {});

class PDsvgdAgent : public AgentSide {
 public:
  PDsvgdAgent(const AgentContext& context, const PDsvgdSetup& options);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override;

 private:
  // t_k as it is once the earlier upload is settled at the particles Z of this task.
  ScoreField::Parts settled_factor(const Task& task) const;

  // What a folded upload leaves behind.
  struct Pending {
    ScoreField::Parts factor;
    LocalRound round;
  };

  AgentContext context_;
  PDsvgdSetup options_;
  LocalSvgd svgd_;
  ScoreField::Parts factor_;            // t_k; empty: a constant
  std::optional<LocalRound> accepted_;  // folded, not yet settled
  std::optional<Pending> pending_;      // uploaded, no verdict yet
};

class PDsvgdServer : public ServerSide, private SumFold {
 public:
  PDsvgdServer(const ServerContext& context, const PDsvgdSetup& options);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override { return belief_.objection(update); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  // Of fold = "mean": the others look at every agent's particles.
  SumFold* sum_fold() override { return options_.fold == "mean" ? this : nullptr; }
  Particles particles() const override { return belief_.front(); }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 private:
  std::vector<double> weights(Index /*agent*/) const override { return {1}; }
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  double rho_of(std::size_t agents) const;
  std::vector<Verdict> accept(Index round, const std::vector<Index>& agents, double rho);
  Particles moved(const Matrix& moves, double rho) const;
  Particles mean_of(const std::vector<Update>& updates, double rho) const;
  Particles svgd_of(const std::vector<Update>& updates, double rho) const;
  Particles barycentre_of(const std::vector<Update>& updates, double rho) const;
  Particles paper_fold(const std::map<Index, Particles>& locals) const;

  const Model* model_;
  PDsvgdSetup options_;
  LocalSvgd svgd_;
  VersionedBelief belief_;
  std::map<Index, Verdict> verdicts_;  // on each agent's last folded upload
  std::map<Index, Particles> locals_;  // `paper`: local particles of the agents heard so far
};

PDsvgdSetup p_dsvgd_options(const Settings& settings);

}  // namespace fedstein
