// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/ranges.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {

Ranges ranges_of(const Dataset& dataset, std::span<const Index> rows) {
  check_argument(!rows.empty(), "ranges_of", "there are no rows; at least 1 is needed");
  // No structured binding: clang 14 cannot capture one in a lambda.
  const auto ends = std::minmax_element(rows.begin(), rows.end());
  check_argument(*ends.first >= 0 && *ends.second < dataset.x.rows(), "ranges_of", [&] {
    return "rows " + std::to_string(*ends.first) + " to " + std::to_string(*ends.second) + " are given; the set has " +
           std::to_string(dataset.x.rows());
  });
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
