// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/softmax_weights.h"

#include <limits>

namespace fedstein {

void softmax_weights(double h, MatrixRef r2) {
  for (Index i = 0; i < r2.rows(); ++i) {
    auto row = r2.row(i).array();
    const Real nearest = row.minCoeff();
    if (h < static_cast<double>(std::numeric_limits<Real>::min())) {
      row = (row == nearest).cast<Real>();
    } else {
      row = ((row - nearest) * static_cast<Real>(-1 / h)).exp();
    }
    row *= static_cast<Real>(1 / row.cast<double>().sum());
  }
}

}  // namespace fedstein
