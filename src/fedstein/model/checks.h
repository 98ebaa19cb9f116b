// SPDX-License-Identifier: Apache-2.0
// What every model checks first. No strings are built unless something is wrong: these run once per step.
#pragma once

#include "fedstein/model/batch.h"

namespace fedstein {

// theta is N x dimension, N >= 1.
void check_particles(const char* function, const ConstMatrixRef& theta, Index dimension);
// Also: grad has the shape of theta, and the weight is finite.
void check_score_arguments(
    const char* function, const ConstMatrixRef& theta, Index dimension, double weight, const MatrixRef& grad);
// x has `inputs` columns and y one value per row of it.
void check_batch_shape(const char* function, const Batch& batch, Index inputs);

// How y names a class: by its index 0 .. classes-1, or, of two, by -1 and +1.
enum class Labels { kIndex, kSigned };
void check_labels(const char* function, const ConstVectorRef& y, Labels labels, Index classes);

}  // namespace fedstein
