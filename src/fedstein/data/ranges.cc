// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/ranges.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {

Ranges ranges_of(const Dataset& dataset, std::span<const Index> rows) {
  check_rows("ranges_of", rows, dataset.x.rows());
  check_argument(!rows.empty(), "ranges_of", "there are no rows; at least 1 is needed");
  RowVector low = dataset.x.row(rows.front());
  RowVector high = low;
  Real target_low = dataset.y(rows.front());
  Real target_high = target_low;
  for (const Index row : rows) {
    low = low.cwiseMin(dataset.x.row(row));
    high = high.cwiseMax(dataset.x.row(row));
    target_low = std::min(target_low, dataset.y(row));
    target_high = std::max(target_high, dataset.y(row));
  }
  Ranges out{low.transpose().cast<double>(), high.transpose().cast<double>()};
  if (dataset.labels == LabelKind::kRegression || dataset.labels == LabelKind::kCounts) {
    out.target_low = static_cast<double>(target_low);
    out.target_high = static_cast<double>(target_high);
  }
  return out;
}

}  // namespace fedstein
