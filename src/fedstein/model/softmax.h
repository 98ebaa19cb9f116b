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

// Log probabilities that can be compared: none below this, for a class that is out of the question is not more so when
// its logarithm is -50.
inline constexpr Real kLeastLogProbability = -10;
// Replaces each column z by log softmax(z), cut off there.
void bounded_log_softmax(MatrixRef logits);
// Replaces each column z by the gradient in z of the sum of pull times these.
void bounded_log_softmax_pull(const ConstMatrixRef& pull, MatrixRef logits);

}  // namespace fedstein
