// SPDX-License-Identifier: Apache-2.0
// The weights of an AnchoredSum for a handful of particles, where rows are too short to fill registers. Not installed:
// AnchoredSum chooses it by itself.
#pragma once

#include <span>

#include "fedstein/stein/softmax_weights.h"

namespace fedstein {

// So few particles, and not so many coordinates that transposing them would cost more than it spares.
bool are_few(const ConstMatrixRef& theta);

// weights(m, n), anchors x kNarrowColumns: the softmax weight of anchor m for particle n, within m's group.
void few_softmax_weights(std::span<const SoftmaxGroup> groups,
                         const ConstMatrixRef& theta,
                         const ConstMatrixRef& anchors,
                         MatrixRef weights);

}  // namespace fedstein
