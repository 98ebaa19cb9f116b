// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/classification_tally.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "fedstein/metrics/arguments.h"

// Vectors of 64 bytes are several registers on most machines, and passing one by value would depend on the compiler's
// flags. Nothing here is called from outside this file.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace fedstein {
namespace {

constexpr const char* kWho = "ClassificationTally";

// Rows are judged a few at a time: first what every row is worth, without a branch that depends on the data, then the
// bins. Which class is the more probable one is a toss-up that no processor can foresee.
constexpr Index kRows = 256;

struct JudgedRows {
  std::array<double, kRows> confidence;   // probability of the most probable class
  std::array<std::int64_t, kRows> right;  // 1 where that class, of equal ones the lowest, is the label, otherwise 0
  double squares = 0;                     // sum over rows and classes of (p - hit)^2
  bool sound = true;                      // labels are class indices, rows are probabilities that sum to 1
};

double square(double x) {
  return x * x;
}

constexpr int kTogether = 8;                                                      // rows
typedef Real Reals __attribute__((vector_size(kTogether * sizeof(Real))));        // NOLINT: no `using` form
typedef double Doubles __attribute__((vector_size(kTogether * sizeof(double))));  // NOLINT
typedef std::int64_t Integers __attribute__((vector_size(kTogether * sizeof(std::int64_t))));  // NOLINT
static_assert(sizeof(Index) == sizeof(std::int64_t));

template <typename Register, typename Number>
Register read(const Number* place) {
  Register out;
  static_assert(sizeof out == kTogether * sizeof(Number));
  std::memcpy(&out, place, sizeof out);
  return out;
}

// The first `count` rows, a multiple of kTogether, of probabilities that lie without gaps.
void judge_together(const Real* p, const Index* labels, Index count, JudgedRows& out) {
  Doubles squares = {};
  Integers bad = {};
  for (Index i = 0; i < count; i += kTogether) {
    const auto front = read<Reals>(p + 2 * i);
    const auto back = read<Reals>(p + 2 * i + kTogether);
    const auto first =
        __builtin_convertvector(__builtin_shufflevector(front, back, 0, 2, 4, 6, 8, 10, 12, 14), Doubles);
    const auto second =
        __builtin_convertvector(__builtin_shufflevector(front, back, 1, 3, 5, 7, 9, 11, 13, 15), Doubles);
    const auto label = read<Integers>(labels + i);
    const Integers second_wins = second > first;
    const Doubles confidence = second_wins ? second : first;
    const Integers right = (second_wins == -label) & 1;
    std::memcpy(out.confidence.data() + i, &confidence, sizeof confidence);
    std::memcpy(out.right.data() + i, &right, sizeof right);
    // A label is 0 or 1, or else the row is bad: no conversion, which few machines have for such integers.
    const Doubles miss = (label == 1 ? 1 - Doubles{} : Doubles{}) - second;
    const Doubles other_miss = (label == 1 ? Doubles{} : 1 - Doubles{}) - first;
    squares += miss * miss + other_miss * other_miss;
    const Doubles excess = first + second - 1;
    bad |= label >> 1;
    bad |=
        ~((first >= 0) & (second >= 0) & (excess <= kRowSumTolerance) & (excess >= -kRowSumTolerance));  // so with NaN
  }
  std::int64_t any = 0;
  for (int k = 0; k < kTogether; ++k) {
    any |= bad[k];
    out.squares += squares[k];
  }
  out.sound = any == 0;
}

JudgedRows judge_two_classes(const Real* p, Index stride, std::span<const Index> labels) {
  JudgedRows out;
  const auto rows = static_cast<Index>(labels.size());
  const Index together = stride == 2 ? rows / kTogether * kTogether : 0;
  judge_together(p, labels.data(), together, out);
  for (Index i = together; i < rows; ++i) {
    const auto first = static_cast<double>(p[i * stride]);
    const auto second = static_cast<double>(p[i * stride + 1]);
    const Index label = labels[static_cast<std::size_t>(i)];
    const Index best = second > first ? 1 : 0;
    out.confidence[static_cast<std::size_t>(i)] = std::max(first, second);
    out.right[static_cast<std::size_t>(i)] = best == label ? 1 : 0;
    out.squares += square(second - (label == 1 ? 1 : 0)) + square(first - (label == 1 ? 0 : 1));
    out.sound = out.sound && (label >> 1) == 0 && first >= 0 && second >= 0 &&
                std::abs(first + second - 1) <= kRowSumTolerance;  // with NaN it is not
  }
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
    bins_.add(std::span(rows.confidence).first(of_rows.size()), std::span(rows.right).first(of_rows.size()));
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
  check_argument(rows_ > 0, kWho, "it holds 0 rows; a figure needs at least one");
  return sum / static_cast<double>(rows_);
}

}  // namespace fedstein
