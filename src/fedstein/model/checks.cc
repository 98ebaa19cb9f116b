// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/checks.h"

#include <cmath>

#include "fedstein/base/counted.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

void check_particles(const char* function, const ConstMatrixRef& theta, Index dimension) {
  if (theta.rows() > 0 && theta.cols() == dimension) return;
  check_argument(false,
                 function,
                 "theta is " + shape_of(theta) + "; it must have at least one row and " + counted(dimension, "column"));
}

void check_score_arguments(
    const char* function, const ConstMatrixRef& theta, Index dimension, double weight, const MatrixRef& grad) {
  check_particles(function, theta, dimension);
  check_same_shape(function, "grad", grad, "theta", theta);
  if (!std::isfinite(weight)) check_argument(false, function, "weight is " + to_text(weight) + "; it must be finite");
}

void check_batch_shape(const char* function, const Batch& batch, Index inputs) {
  check_columns(function, "x", batch.x, inputs);
  if (batch.y.size() == batch.x.rows()) return;
  check_argument(false,
                 function,
                 "y has " + counted(batch.y.size(), "value") + "; it must have one for each of the " +
                     counted(batch.x.rows(), "row") + " of x");
}

void check_labels(const char* function, const ConstVectorRef& y, Labels labels, Index classes) {
  const auto limit = static_cast<Real>(classes);
  for (Index i = 0; i < y.size(); ++i) {
    const Real label = y(i);
    // |y| = 1 is one comparison with a foreseeable end; which of -1 and 1 it is would be a mispredicted branch a row.
    const bool allowed =
        labels == Labels::kSigned ? std::abs(label) == 1 : label >= 0 && label < limit && label == std::floor(label);
    if (allowed) continue;
    check_argument(
        false,
        function,
        "the label of row " + std::to_string(i) + " is " + to_text(static_cast<double>(label)) + "; it must be " +
            (labels == Labels::kSigned ? "-1 or 1" : "a whole number from 0 to " + std::to_string(classes - 1)));
  }
}

}  // namespace fedstein
