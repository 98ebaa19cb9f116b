// SPDX-License-Identifier: Apache-2.0
// Names of experiments, methods and cases, and what refers to them.
#pragma once

#include "fedstein/config/expand.h"
#include "fedstein/config/plan.h"

namespace fedstein {

// Fit to be shown, unique, and known where they are referred to.
void check_names(const Document& document, Mistakes& mistakes);
// A point where no method is listed: a mistake unless a sweep repeats there what is computed elsewhere.
void check_has_methods(const Point& point, const Registry& registry, Mistakes& mistakes);
void check_unique_cases(const Plan& plan, Mistakes& mistakes);

std::vector<FigurePlan> resolve_figures(const Document& document, const Plan& plan, Mistakes& mistakes);

}  // namespace fedstein
