// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fedstein/metrics/arguments.h"
#include "fedstein/metrics/classification.h"

namespace fedstein {
namespace {

double gap(const ReliabilityBin& bin) {
  return std::abs(static_cast<double>(bin.correct) - bin.confidence_sum);
}

}  // namespace

ReliabilityBins::ReliabilityBins(Index bins) {
  check_bin_count("ReliabilityBins", bins);
  bins_.resize(static_cast<std::size_t>(bins));
}

ReliabilityBins::ReliabilityBins(const ConstMatrixRef& probabilities, std::span<const Index> labels, Index bins)
    : ReliabilityBins(bins) {
  add(probabilities, labels);
}

ReliabilityBins ReliabilityBins::from_bins(std::vector<ReliabilityBin> bins) {
  constexpr const char* kWho = "ReliabilityBins::from_bins";
  ReliabilityBins out(static_cast<Index>(bins.size()));
  std::int64_t room = std::numeric_limits<std::int64_t>::max();
  for (Index j = 0; j < out.size(); ++j) {
    const ReliabilityBin& bin = bins[static_cast<std::size_t>(j)];
    const std::string where = "bin " + std::to_string(j) + " has ";
    const auto count = static_cast<double>(bin.count);
    check_argument(bin.count >= 0, kWho, where + "count " + std::to_string(bin.count) + "; it must be at least 0");
    check_argument(bin.correct >= 0 && bin.correct <= bin.count,
                   kWho,
                   where + "correct " + std::to_string(bin.correct) + "; it must be from 0 to its count " +
                       std::to_string(bin.count));
    const double low = (out.lower_edge(j) - kRowSumTolerance) * count;
    const double high = (out.upper_edge(j) + kRowSumTolerance) * count;
    check_argument(bin.confidence_sum >= low && bin.confidence_sum <= high,
                   kWho,
                   where + "confidence sum " + to_text(bin.confidence_sum) +
                       "; with its count and edges it must be from " + to_text(low) + " to " + to_text(high));
    check_argument(bin.count <= room,
                   kWho,
                   where + "count " + std::to_string(bin.count) + "; all counts must fit 64 bits together");
    room -= bin.count;
  }
  out.bins_ = std::move(bins);
  return out;
}

void ReliabilityBins::add(const ConstMatrixRef& probabilities, std::span<const Index> labels) {
  const DoubleVector wrong = zero_one_loss(probabilities, labels);
  const DoubleVector confidences = confidence(probabilities);
  std::vector<std::int64_t> right(labels.size());
  for (std::size_t row = 0; row < right.size(); ++row) right[row] = wrong(static_cast<Index>(row)) == 0 ? 1 : 0;
  add(std::span(confidences.data(), right.size()), right);
}

ReliabilityBins& ReliabilityBins::operator+=(const ReliabilityBins& other) {
  constexpr const char* kWho = "ReliabilityBins::operator+=";
  check_argument(
      other.size() == size(),
      kWho,
      "the other diagram has " + std::to_string(other.size()) + " bins; it must have " + std::to_string(size()));
  check_argument(
      rows() <= std::numeric_limits<std::int64_t>::max() - other.rows(),
      kWho,
      "the counts " + std::to_string(rows()) + " and " + std::to_string(other.rows()) + " exceed 64 bits together");
  for (std::size_t j = 0; j < bins_.size(); ++j) bins_[j] += other.bins_[j];
  return *this;
}

std::int64_t ReliabilityBins::rows() const {
  std::int64_t sum = 0;
  for (const ReliabilityBin& bin : bins_) sum += bin.count;
  return sum;
}

double ReliabilityBins::expected_error() const {
  const std::int64_t all = rows();
  check_argument(all > 0, "ReliabilityBins::expected_error", "the diagram holds 0 rows; it needs at least one");
  double sum = 0;
  for (const ReliabilityBin& bin : bins_) sum += gap(bin);
  return sum / static_cast<double>(all);
}

double ReliabilityBins::maximum_error() const {
  check_argument(rows() > 0, "ReliabilityBins::maximum_error", "the diagram holds 0 rows; it needs at least one");
  double largest = 0;
  for (const ReliabilityBin& bin : bins_) {
    if (bin.count > 0) largest = std::max(largest, gap(bin) / static_cast<double>(bin.count));
  }
  return largest;
}

std::string ReliabilityBins::describe() const {
  return "ECE and MCE: B = " + std::to_string(size()) +
         " equal-width bins [(j-1)/B, j/B), the last with 1, confidence = maximum of the averaged predictive, empty "
         "bins left out";
}

}  // namespace fedstein
