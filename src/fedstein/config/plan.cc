// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/plan.h"

#include "fedstein/numeric/check.h"

namespace fedstein {

const ModelType& model_type_of(const ModelPlan& plan) {
  return plan.maker != nullptr ? *plan.maker : Registry::standard().model_type(plan.type);
}

std::unique_ptr<Model> make_model(const ModelPlan& plan, Index features, Index classes) {
  const ModelType& type = model_type_of(plan);
  return type.make(plan.settings, {.features = features, .classes = classes, .labels = plan.labels});
}

std::unique_ptr<Scheduler> make_scheduler(const SchedulerPlan& plan,
                                          const std::vector<Index>& rows,
                                          std::uint64_t seed) {
  const Index agents = static_cast<Index>(rows.size());
  if (plan.kind == "round-robin") return std::make_unique<RoundRobin>(agents);
  if (plan.kind == "random") return std::make_unique<RandomOne>(agents, seed);
  if (plan.kind == "fraction") return std::make_unique<RandomFraction>(agents, plan.fraction, seed);
  if (plan.kind == "weighted") return std::make_unique<WeightedByData>(rows, seed);
  check_argument(plan.kind == "all", "make_scheduler", [&] {
    return "there is no scheduler '" + plan.kind + "'; allowed: round-robin, random, fraction, weighted, all";
  });
  return std::make_unique<RandomFraction>(agents, 1.0, seed);
}

}  // namespace fedstein
