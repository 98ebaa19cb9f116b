// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/metrics/divergence.h"
#include "fedstein/model/model.h"

namespace fedstein {

// The exact posterior of a model with one or two parameters, on a uniform grid, and how far a density is from it. What
// lies outside the grid is not seen: densities are normalised on it.
class PosteriorGrid {
 public:
  // One axis per parameter; the data is all agents' rows together and is needed during the call only.
  PosteriorGrid(const Model& model, const Batch& data, const std::vector<UniformGrid>& axes, double temperature = 1);

  const Matrix& points() const { return points_; }  // cells x d
  double cell_size() const { return cell_size_; }
  // log( p0 exp(-L / alpha) ) at the points, L the sum of all agents' losses: q_opt up to its constant.
  const DoubleVector& log_posterior() const { return log_posterior_; }
  // log q of the particles' KDE at the points.
  DoubleVector log_kde(const Particles& particles, double bandwidth) const;

  // F(q) = E_q[L] + alpha KL(q || p0) = alpha ( KL(q || q_opt) - log Z ),  Z = integral of p0 exp(-L / alpha)
  //                                                                                      [eq. main_minimization]
  // Every KDE leaks over the edge of a bounded prior, where F would be infinite: there it is the free energy of q
  // restricted to the prior's support.
  double free_energy(const DoubleVector& log_q) const;

  // forward: KL(q || q_opt), with q restricted likewise. reverse: KL(q_opt || q) of q as it is, so that what leaked
  // counts against it: the one to compare by when the prior is bounded. Both are finite for a KDE.
  KlPair divergence(const DoubleVector& log_q) const;

 private:
  DoubleVector restricted(const DoubleVector& log_q) const;

  double temperature_;
  double cell_size_;
  Matrix points_;
  DoubleVector log_posterior_;
  double log_evidence_;  // log Z
};

// The axes of a model whose prior is bounded: its support, `margin` added on every side for what a KDE leaks.
std::vector<UniformGrid> support_axes(const Support& support, Index cells, double margin = 0);

}  // namespace fedstein
