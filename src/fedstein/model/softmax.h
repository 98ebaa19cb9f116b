// SPDX-License-Identifier: Apache-2.0
// Softmax of class scores stored class by class: C x rows, one column per data row, so that every loop below runs along
// contiguous memory however few the classes. Safe for scores of any finite size.
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Replaces each column z by log softmax(z).
void log_softmax(MatrixRef logits);

// Replaces each column z by softmax(z).
void softmax(MatrixRef logits);

}  // namespace fedstein
