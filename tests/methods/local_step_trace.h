// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "fedstein/evaluation/posterior_grid.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

// What Theorem 2 speaks of, for one local step from q[l] to q[l+1]:                         [th:global_energy_decrease]
struct LocalStep {
  Index round = 0;
  Index agent = 0;
  Index step = 0;               // l
  double free_energy = 0;       // F(q[l]): the global one, of the particles' KDE
  double next_free_energy = 0;  // F(q[l+1])
  double discrepancy = 0;       // S(q[l], tilted): the squared KSD of the particles, from the target's scores
  double divergence = 0;        // D(q[l+1] || q[l]) of the KDEs, on the grid
};

// Collects them for models with one or two parameters: ParticleOptions::trace = collector.hook(). Borrows the grid. May
// be called by several agents at once. A round that is tried again replaces what its first attempt left.
class LocalStepTrace {
 public:
  // kernel_bandwidth: the rule of the RBF kernel that the federation runs with.
  LocalStepTrace(const PosteriorGrid& grid, double kde_bandwidth, Bandwidth kernel_bandwidth = Bandwidth::paper());

  LocalTrace hook();
  // By round, agent and step.
  std::vector<LocalStep> steps() const;

 private:
  // The last that was heard of a loop: q[l], waiting for q[l+1].
  struct Loop {
    std::vector<LocalStep> steps = {};
    LocalStep open = {};
    DoubleVector log_q = {};
  };
  void take(Index round, Index agent, const SvgdOptions::Trace& at);

  const PosteriorGrid* grid_;
  double kde_bandwidth_;
  RbfKernel kernel_;
  mutable std::mutex mutex_;
  std::map<std::pair<Index, Index>, Loop> loops_;  // by round and agent
};

}  // namespace fedstein
