// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "fedstein/config/parse.h"
#include "fedstein/data/registry.h"

namespace fedstein {
namespace {

bool takes_a_share(const SchedulerPlan& scheduler) {
  return scheduler.kind == "all" || scheduler.kind == "fraction";
}

Index agents_of_a_round(const SchedulerPlan& scheduler, Index agents) {
  const double known = static_cast<double>(std::max<Index>(1, agents));
  if (scheduler.kind == "all") return std::max<Index>(1, agents);
  if (scheduler.kind == "fraction") return std::max<Index>(1, std::lround(scheduler.fraction * known));
  return 1;
}

// d; nothing where it depends on a file that was not read.
std::optional<Index> parameters(const CasePlan& plan) {
  if (plan.model.labels == LabelKind::kDensity) return make_model(plan.model, 0, 0)->dimension();
  const DatasetPlan& data = plan.dataset;
  if (data.table) {
    const auto classes = static_cast<Index>(data.table->classes.size());
    return make_model(plan.model, feature_count(*data.table), classes)->dimension();
  }
  if (data.own_file) {
    const bool is_known = data.file.layout.features > 0 && plan.model.labels != LabelKind::kMulticlass;
    if (!is_known) return {};
    return make_model(plan.model, data.file.layout.features, 2)->dimension();
  }
  const DatasetInfo& info = find_dataset(data.name);
  const Index classes = static_cast<Index>(info.class_counts.size());
  return make_model(plan.model, info.features, info.labels == LabelKind::kBinary ? 2 : classes)->dimension();
}

// 0: known when the rows are read.
Index agents_of(const CasePlan& plan) {
  if (plan.partition.agents > 0 || plan.model.labels == LabelKind::kDensity) {
    return std::max<Index>(1, plan.partition.agents);
  }
  const DatasetPlan& data = plan.dataset;
  if (data.table) return static_cast<Index>(data.table->groups.size());
  return data.own_file ? 0 : static_cast<Index>(find_dataset(data.name).group_names.size());
}

}  // namespace

WorkEstimate estimate(const Plan& plan) {
  WorkEstimate out;
  for (const CasePlan& each : plan.cases) {
    const std::optional<Index> dimension = parameters(each);
    const Index agents = agents_of(each);
    if (!dimension) out.unknown = "the columns of " + each.dataset.name + " are known when it is read";
    for (const AlgorithmPlan& method : each.algorithms) {
      const double picked = static_cast<double>(agents_of_a_round(method.scheduler, method.alone ? 1 : agents));
      const double exchanges = static_cast<double>(plan.trials) * static_cast<double>(method.rounds) * picked;
      const bool steps = method.settings.has("local_steps");
      const bool particles = method.settings.has("particles");
      const double rows = particles ? static_cast<double>(method.settings.integer("particles")) : 1;
      out.jobs += plan.trials;
      out.rounds += plan.trials * method.rounds;
      out.local_steps += exchanges * (steps ? static_cast<double>(method.settings.integer("local_steps")) : 1);
      if (method.method->centralised) continue;
      out.bytes += 2 * exchanges * rows * static_cast<double>(dimension.value_or(0)) * sizeof(Real);
      if (agents == 0 && takes_a_share(method.scheduler)) {
        out.unknown = "how many agents " + each.dataset.name + " has is known when it is read; it is counted as one";
      }
    }
  }
  return out;
}

}  // namespace fedstein
