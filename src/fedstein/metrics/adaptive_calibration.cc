// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fedstein/metrics/arguments.h"
#include "fedstein/metrics/calibration.h"

namespace fedstein {
namespace {

// Sum over the ranges of |hits - probability| per row, and the number of ranges that hold a row.
struct RangeGaps {
  double sum = 0;
  Index ranges = 0;
};

RangeGaps class_gaps(const ConstMatrixRef& probabilities, std::span<const Index> labels, Index k, Index bins) {
  const Index n = probabilities.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto value = [&](Index rank) {
    return static_cast<double>(probabilities(order[static_cast<std::size_t>(rank)], k));
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return probabilities(a, k) < probabilities(b, k); });

  DoubleVector hits(n);  // by rank; rows of equal probability share theirs
  for (Index begin = 0, end = 0; begin < n; begin = end) {
    double sum = 0;
    for (; end < n && value(end) == value(begin); ++end) {
      const auto row = static_cast<std::size_t>(order[static_cast<std::size_t>(end)]);
      sum += labels[row] == k ? 1 : 0;
    }
    hits.segment(begin, end - begin).setConstant(sum / static_cast<double>(end - begin));
  }

  RangeGaps out;
  for (Index r = 0; r < bins; ++r) {
    const Index begin = r * n / bins;
    const Index end = (r + 1) * n / bins;
    if (begin == end) continue;
    double difference = 0;
    for (Index rank = begin; rank < end; ++rank) difference += hits(rank) - value(rank);
    out.sum += std::abs(difference) / static_cast<double>(end - begin);
    ++out.ranges;
  }
  return out;
}

}  // namespace

double adaptive_calibration_error(const ConstMatrixRef& probabilities, std::span<const Index> labels, Index bins) {
  constexpr const char* kWho = "adaptive_calibration_error";
  check_bin_count(kWho, bins);
  check_probabilities(kWho, "probabilities", probabilities);
  check_labels(kWho, labels, probabilities.rows(), probabilities.cols());
  double sum = 0;
  Index ranges = 0;
  for (Index k = 0; k < probabilities.cols(); ++k) {
    const RangeGaps gaps = class_gaps(probabilities, labels, k, bins);
    sum += gaps.sum;
    ranges += gaps.ranges;
  }
  return sum / static_cast<double>(ranges);
}

std::string describe_adaptive_calibration_error(Index bins) {
  return "ACE (Nixon et al. 2019): B = " + std::to_string(bins) +
         " bins of equally many rows per class, all classes, unweighted mean of the gaps";
}

}  // namespace fedstein
