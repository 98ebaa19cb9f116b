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
class CurvatureServer : public ServerSide {
 public:
  CurvatureServer(const ServerContext& context, const CurvatureOptions& options, double damping = 0);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override { return belief_.objection(update); }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  Particles particles() const override { return belief_[kBeliefParticles]; }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 private:
  double share_of(Index agent, const std::vector<Update>& updates) const;

  const Model* model_;
  std::vector<Index> rows_;  // of each agent
  bool parallel_;
  double damping_;  // rho; 0: by rows
  VersionedBelief belief_;
};

}  // namespace fedstein
