// SPDX-License-Identifier: Apache-2.0
// Whether confidence can be believed: of the rows predicted with confidence 0.8, are 80 % right?
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fedstein/metrics/arguments.h"
#include "fedstein/metrics/reliability_bin.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr Index kDefaultBins = 10;  // what the project's figures use unless told; describe() prints it

// The reliability diagram (paper, app. reliability_plots): bin j of B = 1..B holds the rows with confidence in
// [(j-1)/B, j/B), the last one those of confidence 1 too, confidence being the largest probability of the averaged
// predictive. A row on an edge belongs to the bin that starts there: of two classes, who cannot decide has confidence
// 0.5, and no row has less. (The paper's bins end with their edge.) Edges are rounded to Real, so a confidence written
// 0.3 lies in [0.3, 0.4) in either precision.
//
//   gap_j = |correct_j - confidence_sum_j| / count_j
//   ECE   = sum_j count_j / n * gap_j            MCE = max_j gap_j  [eq. MCE]      over the bins with count_j > 0
//
// Bins add up: agents send their counts, and the sum is the diagram of all their rows.
class ReliabilityBins {
 public:
  explicit ReliabilityBins(Index bins = kDefaultBins);
  ReliabilityBins(const ConstMatrixRef& probabilities, std::span<const Index> labels, Index bins = kDefaultBins);
  // Bins that came from elsewhere: refused unless counts, sums and edges agree.
  static ReliabilityBins from_bins(std::vector<ReliabilityBin> bins);

  void add(const ConstMatrixRef& probabilities, std::span<const Index> labels);
  // Confidence above 0 (the largest of some probabilities always is) and at most 1. Here in the header, with what it
  // needs: a row costs a few nanoseconds, of which a call would be one.
  void add(double confidence, bool correct) {
    check_argument(confidence > 0 && confidence <= 1 + kRowSumTolerance, "ReliabilityBins::add", [&] {
      return "confidence is " + to_text(confidence) + "; it must be above 0 and at most 1";
    });
    put(confidence, correct);
  }
  // The same for many rows at once: right is 1 or 0. Confidences are added up in another order than one by one.
  void add(std::span<const double> confidences, std::span<const std::int64_t> right);
  ReliabilityBins& operator+=(const ReliabilityBins& other);

  const std::vector<ReliabilityBin>& bins() const { return bins_; }
  Index size() const { return static_cast<Index>(bins_.size()); }
  double lower_edge(Index bin) const { return edge(bin); }
  double upper_edge(Index bin) const { return edge(bin + 1); }
  std::int64_t rows() const;

  // Both are refused without a single row.
  double expected_error() const;
  double maximum_error() const;
  std::string describe() const;

 private:
  double edge(Index bin) const { return reliability_edge(bin, size()); }

  // The product is a guess that rounding may have put beside the edge: edges, rounded to Real, miss j / B by less than
  // 1e-7. Nearer than that to an edge, the comparison with it decides.
  Index bin_of(double confidence) const {
    const double place = confidence * static_cast<double>(size());
    const double below = std::floor(place);
    Index bin = std::clamp(static_cast<Index>(below), Index{0}, size() - 1);
    const double nearness = std::min(place - below, below + 1 - place);
    const bool away = nearness > 1e-7 * static_cast<double>(size());
    const bool sure = confidence >= 1;  // what many a model says most of the time: one condition, easily foreseen
    if (static_cast<int>(away) | static_cast<int>(sure)) return bin;
    while (bin > 0 && confidence < edge(bin)) --bin;
    while (bin + 1 < size() && confidence >= edge(bin + 1)) ++bin;
    return bin;
  }

  void add_some(std::span<const double> confidences, std::span<const std::int64_t> right);

  void put(double confidence, bool correct) {
    ReliabilityBin& bin = bins_[static_cast<std::size_t>(bin_of(confidence))];
    ++bin.count;
    bin.correct += static_cast<std::int64_t>(correct);
    bin.confidence_sum += confidence;
  }

  std::vector<ReliabilityBin> bins_;
};

// Adaptive calibration error (Nixon et al. 2019, "Measuring Calibration in Deep Learning"): all classes count, and
// bins hold equally many rows. For each class k the rows are sorted by p(k) and cut into B ranges, range r = 1..B being
// the sorted rows floor((r-1) n / B) .. floor(r n / B) - 1:
//
//   ACE = mean over k and over the ranges that hold a row of | share of label k - mean p(k) |  in the range
//
// Rows of equal p(k) that a cut separates share their hits evenly, so the order of the rows does not matter.
double adaptive_calibration_error(const ConstMatrixRef& probabilities,
                                  std::span<const Index> labels,
                                  Index bins = kDefaultBins);
std::string describe_adaptive_calibration_error(Index bins = kDefaultBins);

}  // namespace fedstein
