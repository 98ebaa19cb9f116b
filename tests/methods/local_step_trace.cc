// SPDX-License-Identifier: Apache-2.0
#include "methods/local_step_trace.h"

#include "fedstein/numeric/check.h"
#include "fedstein/stein/ksd.h"

namespace fedstein {

LocalStepTrace::LocalStepTrace(const PosteriorGrid& grid, double kde_bandwidth, Bandwidth kernel_bandwidth)
    : grid_(&grid), kde_bandwidth_(kde_bandwidth), kernel_(kernel_bandwidth) {
  check_positive("LocalStepTrace", "kde_bandwidth", kde_bandwidth);
}

LocalTrace LocalStepTrace::hook() {
  return [this](Index round, Index agent, const SvgdOptions::Trace& at) { take(round, agent, at); };
}

void LocalStepTrace::take(Index round, Index agent, const SvgdOptions::Trace& at) {
  DoubleVector log_q = grid_->log_kde(at.particles, kde_bandwidth_);
  LocalStep now{.round = round, .agent = agent, .step = at.step};
  now.free_energy = grid_->free_energy(log_q);
  now.discrepancy = ksd_squared(kernel_, at.particles, at.scores);

  const std::lock_guard lock(mutex_);
  Loop& loop = loops_[{round, agent}];
  const bool continues = loop.log_q.size() > 0 && loop.open.step + 1 == at.step;
  if (continues) {
    loop.open.next_free_energy = now.free_energy;
    loop.open.divergence = kl_on_grid(log_q, loop.log_q).forward;
    loop.steps.push_back(loop.open);
  } else {
    loop.steps.clear();
  }
  loop.open = now;
  loop.log_q = std::move(log_q);
}

std::vector<LocalStep> LocalStepTrace::steps() const {
  const std::lock_guard lock(mutex_);
  std::vector<LocalStep> all;
  for (const auto& [name, loop] : loops_) all.insert(all.end(), loop.steps.begin(), loop.steps.end());
  return all;
}

}  // namespace fedstein
