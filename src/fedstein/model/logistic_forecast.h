// SPDX-License-Identifier: Apache-2.0
// Logistic regression's predictions for a handful of particles: all of them in one pass at the pace of the memory. Not
// installed: LogisticRegression chooses it by itself.
#pragma once

#include "fedstein/model/batch.h"
#include "fedstein/model/prediction.h"

namespace fedstein {

// For particles and inputs that suit (logistic_few.h).
Forecast forecast_few_particles(const ConstMatrixRef& theta, bool intercept, const Batch& batch);

}  // namespace fedstein
