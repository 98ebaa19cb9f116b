// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "fedstein/config/parse.h"
#include "fedstein/data/registry.h"

namespace fedstein {
namespace {

Index agents_of_a_round(const SchedulerPlan& scheduler, Index agents) {
  const double known = static_cast<double>(std::max<Index>(1, agents));
  if (scheduler.kind == "all") return std::max<Index>(1, agents);
  if (scheduler.kind == "fraction") return std::max<Index>(1, std::lround(scheduler.fraction * known));
  return 1;
}

// d; 0 when it depends on a file that was not read.
Index parameters(const CasePlan& plan) {
  if (plan.dataset.own_file) return 0;
  if (plan.model.labels == LabelKind::kDensity) return make_model(plan.model, 0, 0)->dimension();
  const DatasetInfo& info = find_dataset(plan.dataset.name);
  const Index classes = static_cast<Index>(info.class_counts.size());
  return make_model(plan.model, info.features, info.labels == LabelKind::kBinary ? 2 : classes)->dimension();
}

}  // namespace

WorkEstimate estimate(const Plan& plan) {
  WorkEstimate out;
  for (const CasePlan& each : plan.cases) {
    const double dimension = static_cast<double>(parameters(each));
    for (const AlgorithmPlan& method : each.algorithms) {
      const double picked =
          static_cast<double>(agents_of_a_round(method.scheduler, method.alone ? 1 : each.partition.agents));
      const double exchanges = static_cast<double>(plan.trials) * static_cast<double>(method.rounds) * picked;
      const bool steps = method.settings.has("local_steps");
      const bool particles = method.settings.has("particles");
      const double rows = particles ? static_cast<double>(method.settings.integer("particles")) : 1;
      out.jobs += plan.trials;
      out.rounds += plan.trials * method.rounds;
      out.local_steps += exchanges * (steps ? static_cast<double>(method.settings.integer("local_steps")) : 1);
      if (!method.method->centralised) out.bytes += 2 * exchanges * rows * dimension * sizeof(Real);
    }
  }
  return out;
}

}  // namespace fedstein
