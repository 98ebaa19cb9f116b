// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/check.h"
#include "fedstein/base/counted.h"

#include <cmath>

namespace fedstein {

std::string shape_of(const ConstMatrixRef& matrix) {
  return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols());
}

void check_not_empty(const char* function, const char* argument, const ConstMatrixRef& matrix) {
  if (matrix.rows() > 0 && matrix.cols() > 0) return;
  refuse(function, std::string(argument) + " is " + shape_of(matrix) + "; it needs at least one row and one column");
}

Position first_non_finite(const ConstMatrixRef& matrix) {
  if (matrix.cols() == 0) return {};  // however many rows that are
  for (Index row = 0; row < matrix.rows(); ++row) {
    // A finite sum of magnitudes proves a finite row in one vectorised pass; only a suspect row is searched.
    const auto values = matrix.row(row);
    if (std::isfinite(values.template lpNorm<1>())) continue;
    for (Index column = 0; column < matrix.cols(); ++column) {
      if (!std::isfinite(values(column))) return {row, column};
    }
  }
  return {};
}

void check_finite(const char* function, const char* argument, const ConstMatrixRef& matrix) {
  const Position at = first_non_finite(matrix);
  if (at.row < 0) return;
  refuse(function,
         std::string(argument) + " holds " + to_text(static_cast<double>(matrix(at.row, at.column))) + " in row " +
             std::to_string(at.row) + ", column " + std::to_string(at.column) + "; every value must be finite");
}

void check_columns(const char* function, const char* argument, const ConstMatrixRef& matrix, Index columns) {
  if (matrix.cols() == columns) return;
  refuse(function, std::string(argument) + " is " + shape_of(matrix) + "; it must have " + counted(columns, "column"));
}

void check_same_shape(const char* function,
                      const char* argument,
                      const ConstMatrixRef& matrix,
                      const char* other_argument,
                      const ConstMatrixRef& other) {
  if (matrix.rows() == other.rows() && matrix.cols() == other.cols()) return;
  refuse(function,
         std::string(argument) + " is " + shape_of(matrix) + "; it must have the shape of " + other_argument + ", " +
             shape_of(other));
}

}  // namespace fedstein
