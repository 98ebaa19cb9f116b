// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/config/plan.h"
#include "fedstein/evaluation/run_verdict.h"

namespace fedstein {

// What advice about a method's runs depends on: the names of its settings and what is done to the rows already.
JudgeOptions judge_options(const CasePlan& case_plan, const AlgorithmPlan& algorithm);

}  // namespace fedstein
