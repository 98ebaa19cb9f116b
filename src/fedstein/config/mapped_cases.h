// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/config/plan.h"

namespace fedstein {

// Whether a figure of the kind `map` can draw the case: it has classes and two features. A file whose number of
// features is not known before it is read may have two.
bool draws_maps(const CasePlan& case_plan);

}  // namespace fedstein
