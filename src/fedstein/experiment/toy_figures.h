// SPDX-License-Identifier: Apache-2.0
// The toys, where everything is known: how far a belief is from the exact posterior, and both as densities to draw.
#pragma once

#include <vector>

#include "fedstein/evaluation/posterior_grid.h"
#include "fedstein/federated/observer.h"
#include "fedstein/federated/sides.h"

namespace fedstein {

// Of a model with one or two parameters: a fine grid to compute divergences on, a coarse one to draw. Both hold all of
// the paper's toys, with what their KDEs leak over the edge of a uniform prior.
std::vector<UniformGrid> divergence_axes(const Model& model);
std::vector<UniformGrid> figure_axes(const Model& model);

// Adds `kl`, `kl_reverse` and `free_energy` at the first KDE bandwidth, `kl@B` at every further one. A belief that is a
// density by itself (PVI's Gaussian) has no bandwidth: all are of that density. Borrows the server.
class ToyFigures : public Observer {
 public:
  ToyFigures(const Model& model, const Batch& data, const ServerSide& server, std::vector<double> bandwidths);
  Next on_round(RoundRecord& record, const Particles& particles) override;

 private:
  const ServerSide* server_;
  PosteriorGrid grid_;
  std::vector<double> bandwidths_;
};

// The belief's density at the points of figure_axes, normalised there: one row per cell of the first axis.
Matrix drawn_density(const Model& model, const ServerSide& server, const Particles& particles, double bandwidth);

// "kl@0.1"
std::string kl_name(double bandwidth);

}  // namespace fedstein
