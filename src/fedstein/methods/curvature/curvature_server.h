// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/curvature/curvature_factor.h"

namespace fedstein {

// The server of factor = "curvature": adds what changed in the agents' lines, and moves particles and path by the
// mean of the agents' moves, weighted by their rows: whoever has few knows the curvature of all least. A sequential
// method's one agent is followed entirely. A damping rho takes the place of the weights.
class CurvatureServer : public ServerSide, private SumFold {
 public:
  CurvatureServer(const ServerContext& context, const CurvatureOptions& options, double damping = 0);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override { return belief_.objection(update); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  SumFold* sum_fold() override { return this; }
  Particles particles() const override { return belief_[kBeliefParticles]; }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 private:
  std::vector<double> weights(Index agent) const override;
  std::vector<Verdict> fold_sum(Index round,
                                const std::vector<DoubleMatrix>& sum,
                                const std::vector<Index>& agents) override;
  double share_of(Index agent, const std::vector<Index>& agents) const;
  void take(const std::vector<DoubleMatrix>& next);

  const Model* model_;
  std::vector<Index> rows_;  // of each agent
  bool parallel_;
  double damping_;  // rho; 0: by rows
  VersionedBelief belief_;
};

}  // namespace fedstein
