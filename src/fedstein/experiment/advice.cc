// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/advice.h"

#include "fedstein/data/registry.h"
#include "fedstein/experiment/trial_data.h"

namespace fedstein {
namespace {

// As methods call the size of their steps, the usual name first.
constexpr const char* kStepSettings[] = {"learning_rate", "step", "a0", "rate"};

std::string step_of(const Settings& settings) {
  for (const char* key : kStepSettings) {
    if (settings.has(key)) return key;
  }
  return "";
}

bool is_standardised(const CasePlan& plan) {
  if (is_toy(plan.model)) return true;  // there is nothing to scale
  const DatasetPlan& data = plan.dataset;
  const bool by_registry = data.standard_scaling && !data.own_file;
  return (by_registry ? find_dataset(data.name).scaling : data.scaling) == ScalingRule::kStandardise;
}

}  // namespace

JudgeOptions judge_options(const CasePlan& case_plan, const AlgorithmPlan& algorithm) {
  const Settings& settings = algorithm.settings;
  return {.particles = settings.has("particles") ? settings.integer("particles") : Index{0},
          .rounds = algorithm.rounds,
          .step = step_of(settings),
          .is_standardised = is_standardised(case_plan)};
}

}  // namespace fedstein
