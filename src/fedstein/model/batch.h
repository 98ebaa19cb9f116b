// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fedstein/numeric/matrix.h"

namespace fedstein {

using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using RowRef = Eigen::Ref<RowVector>;
using ConstRowRef = Eigen::Ref<const RowVector>;

// Rows of a dataset, borrowed: x is n x p, y holds n labels or targets (density models ignore their values).
struct Batch {
  ConstMatrixRef x;
  ConstVectorRef y;

  Index rows() const { return x.rows(); }
  Batch middle_rows(Index begin, Index count) const { return {x.middleRows(begin, count), y.segment(begin, count)}; }
};

}  // namespace fedstein
