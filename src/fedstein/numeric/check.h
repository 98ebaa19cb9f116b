// SPDX-License-Identifier: Apache-2.0
// Checks of matrices, beside those of base/check.h.
#pragma once

#include <string>

#include "fedstein/base/check.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// "20 x 30"
std::string shape_of(const ConstMatrixRef& matrix);

void check_not_empty(const char* function, const char* argument, const ConstMatrixRef& matrix);
void check_finite(const char* function, const char* argument, const ConstMatrixRef& matrix);
void check_columns(const char* function, const char* argument, const ConstMatrixRef& matrix, Index columns);
void check_same_shape(const char* function,
                      const char* argument,
                      const ConstMatrixRef& matrix,
                      const char* other_argument,
                      const ConstMatrixRef& other);

// Row and column of the first value that is not finite; {-1, -1} when all are.
struct Position {
  Index row = -1;
  Index column = -1;
};
Position first_non_finite(const ConstMatrixRef& matrix);

}  // namespace fedstein
