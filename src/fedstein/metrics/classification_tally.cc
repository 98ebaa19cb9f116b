// SPDX-License-Identifier: Apache-2.0
#include "fedstein/metrics/classification_tally.h"

#include <cmath>

#include "fedstein/metrics/arguments.h"

namespace fedstein {
namespace {

constexpr const char* kWho = "ClassificationTally";

struct JudgedRow {
  Index best = 0;         // most probable class, of equal ones the lowest
  double confidence = 0;  // its probability
  double squares = 0;     // sum over the classes of (p - hit)^2
  bool sound = true;      // probabilities that sum to 1
};

// Without branches: which class is the most probable one is a toss-up that no processor can foresee.
[[gnu::always_inline]] inline JudgedRow judged(const Real* p, Index classes, Index label) {
  JudgedRow row;
  double sum = 0;
  double smallest = 0;
  row.confidence = static_cast<double>(p[0]);
  for (Index c = 0; c < classes; ++c) {
    const auto value = static_cast<double>(p[c]);
    const double gap = value - static_cast<double>(c == label);
    sum += value;
    row.squares += gap * gap;
    smallest = value < smallest ? value : smallest;
    const bool larger = value > row.confidence;
    row.best = larger ? c : row.best;
    row.confidence = larger ? value : row.confidence;
  }
  row.sound = smallest >= 0 && std::abs(sum - 1) <= kRowSumTolerance;  // a sum with NaN is not near 1
  return row;
}

// With two classes, the commonest case, the compiler can lay the loop out flat.
JudgedRow judged_row(const ConstMatrixRef& probabilities, Index row, Index label) {
  const Real* p = probabilities.data() + row * probabilities.outerStride();
  return probabilities.cols() == 2 ? judged(p, 2, label) : judged(p, probabilities.cols(), label);
}

}  // namespace

// A row that is not sound is looked at again by the functions that have the sentence for it.
void ClassificationTally::add(const ConstMatrixRef& probabilities,
                              std::span<const Index> labels,
                              const Eigen::Ref<const DoubleVector>& log_densities) {
  check_rows(kWho, "labels", static_cast<Index>(labels.size()), probabilities.rows());
  check_rows(kWho, "log_densities", log_densities.size(), probabilities.rows());
  for (Index i = 0; i < probabilities.rows(); ++i) {
    const Index label = labels[static_cast<std::size_t>(i)];
    const JudgedRow row = judged_row(probabilities, i, label);
    if (!row.sound) check_probabilities(kWho, "probabilities", probabilities);
    if (label < 0 || label >= probabilities.cols())
      check_labels(kWho, labels, probabilities.rows(), probabilities.cols());
    if (std::isnan(log_densities(i))) check_no_nan(kWho, "log_densities", log_densities);
    right_ += row.best == label ? 1 : 0;
    brier_ += row.squares;
    log_likelihood_ += log_densities(i);
    bins_.add(row.confidence, row.best == label);
  }
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
