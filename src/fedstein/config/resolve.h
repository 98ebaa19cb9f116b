// SPDX-License-Identifier: Apache-2.0
// From a point of the experiment to a case that can be run, or to what is impossible about it.
#pragma once

#include <optional>

#include "fedstein/config/plan.h"
#include "fedstein/config/resolve_data.h"

namespace fedstein {

// Nothing when the point cannot be resolved; then there is a mistake. A case without methods: none is to be run there.
std::optional<CasePlan> resolve_case(const Point& point, Resolution& resolution);

// The model of a case and, for objections and sizes, an instance of it. Where the dataset's shape is not known yet, the
// instance has the smallest one.
struct ModelFacts {
  ModelPlan plan;
  std::unique_ptr<Model> instance;
  bool shape_known = true;
};
std::optional<ModelFacts> resolve_model(const Point& point, const DatasetFacts& facts, Resolution& resolution);

std::vector<AlgorithmPlan> resolve_algorithms(const Point& point,
                                              const ModelFacts& model,
                                              const CasePlan& plan,
                                              Resolution& resolution);

// Whether a round may have several agents. agents: 0 when their number is not known.
bool takes_several(const SchedulerPlan& scheduler, Index agents);

}  // namespace fedstein
