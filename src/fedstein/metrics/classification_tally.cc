// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/classification_tally.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "fedstein/metrics/arguments.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "ClassificationTally";

// Rows are judged a few at a time: first what every row is worth, without a branch that depends on the data, then the
// bins. Which class is the more probable one is a toss-up that no processor can foresee.
constexpr Index kRows = 256;

struct JudgedRows {
  std::array<double, kRows> confidence;   // probability of the most probable class
  std::array<std::uint8_t, kRows> right;  // whether that class, of equal ones the lowest, is the label
  double squares = 0;                     // sum over rows and classes of (p - hit)^2
  bool sound = true;                      // labels are class indices, rows are probabilities that sum to 1
};

double square(double x) {
  return x * x;
}

JudgedRows judge_two_classes(const Real* p, Index stride, std::span<const Index> labels) {
  JudgedRows out;
  // Kept apart from `out`, whose bytes might be anybody's: they stay in registers.
  bool sound = true;
  double squares = 0;
  for (std::size_t i = 0; i < labels.size(); ++i, p += stride) {
    const auto first = static_cast<double>(p[0]);
    const auto second = static_cast<double>(p[1]);
    const auto label = static_cast<double>(labels[i]);
    const bool second_wins = second > first;
    out.confidence[i] = std::max(first, second);
    out.right[i] = static_cast<std::uint8_t>(static_cast<Index>(second_wins) == labels[i]);
    squares += square(second - label) + square(first - (1 - label));
    sound &= (labels[i] >> 1) == 0;
    sound &= static_cast<bool>(static_cast<int>(first >= 0) & static_cast<int>(second >= 0));
    sound &= std::abs(first + second - 1) <= kRowSumTolerance;  // with NaN it is not
  }
  out.sound = sound;
  out.squares = squares;
  return out;
}

JudgedRows judge_classes(const Real* p, Index stride, Index classes, std::span<const Index> labels) {
  JudgedRows out;
  for (std::size_t i = 0; i < labels.size(); ++i, p += stride) {
    Index best = 0;
    double sum = 0;
    double smallest = 0;
    for (Index c = 0; c < classes; ++c) {
      const auto value = static_cast<double>(p[c]);
      sum += value;
      smallest = std::min(smallest, value);
      out.squares += square(value - (c == labels[i] ? 1 : 0));
      if (p[c] > p[best]) best = c;
    }
    out.confidence[i] = static_cast<double>(p[best]);
    out.right[i] = best == labels[i] ? 1 : 0;
    out.sound =
        out.sound && labels[i] >= 0 && labels[i] < classes && smallest >= 0 && std::abs(sum - 1) <= kRowSumTolerance;
  }
  return out;
}

}  // namespace

// Rows that are not sound are looked at again by the functions that have the sentences for them.
void ClassificationTally::add(const ConstMatrixRef& probabilities,
                              std::span<const Index> labels,
                              const Eigen::Ref<const DoubleVector>& log_densities) {
  check_rows(kWho, "labels", static_cast<Index>(labels.size()), probabilities.rows());
  check_rows(kWho, "log_densities", log_densities.size(), probabilities.rows());
  const Index stride = probabilities.outerStride();
  for (Index begin = 0; begin < probabilities.rows(); begin += kRows) {
    const Index count = std::min(kRows, probabilities.rows() - begin);
    const Real* p = probabilities.data() + begin * stride;
    const auto of_rows = labels.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    const JudgedRows rows = probabilities.cols() == 2 ? judge_two_classes(p, stride, of_rows)
                                                      : judge_classes(p, stride, probabilities.cols(), of_rows);
    if (!rows.sound) {
      check_probabilities(kWho, "probabilities", probabilities);
      check_labels(kWho, labels, probabilities.rows(), probabilities.cols());
    }
    for (std::size_t i = 0; i < of_rows.size(); ++i) bins_.add(rows.confidence[i], rows.right[i] != 0);
    right_ += std::accumulate(rows.right.begin(), rows.right.begin() + count, std::int64_t{0});
    brier_ += rows.squares;
  }
  const double log_likelihood = log_densities.sum();
  if (std::isnan(log_likelihood)) check_no_nan(kWho, "log_densities", log_densities);
  log_likelihood_ += log_likelihood;
  rows_ += probabilities.rows();
}

ClassificationTally& ClassificationTally::operator+=(const ClassificationTally& other) {
  rows_ += other.rows_;
  right_ += other.right_;
  log_likelihood_ += other.log_likelihood_;
  brier_ += other.brier_;
  bins_ += other.bins_;
  return *this;
}

double ClassificationTally::mean(double sum) const {
  check(rows_ > 0, kWho, "it holds 0 rows; a figure needs at least one");
  return sum / static_cast<double>(rows_);
}

}  // namespace fedstein
