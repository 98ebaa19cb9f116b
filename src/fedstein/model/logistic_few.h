// SPDX-License-Identifier: Apache-2.0
// Logistic regression's score for a handful of particles, where a general matrix product spends its time on packing.
// Not installed: LogisticRegression chooses it by itself.
#pragma once

#include "fedstein/model/batch.h"

namespace fedstein {

// Up to a handful, and inputs enough to fill a register.
bool suits_few_particles(Index particles, Index inputs);

// grad.row(n) += weight * sum over rows of y x / (1 + exp(y w_n.x)); with an intercept its weight follows the inputs'.
void add_few_particles(const ConstMatrixRef& theta, bool intercept, const Batch& batch, Real weight, MatrixRef grad);

}  // namespace fedstein
