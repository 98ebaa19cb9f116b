// SPDX-License-Identifier: Apache-2.0
// How good class probabilities are. Probabilities are n x C, one data row per row, each row summing to 1; binary tasks
// have C = 2, column 0 for label -1 and column 1 for +1. Labels are class indices. Sums are in double. The
// k...Convention texts are for printing beside the figures.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr const char* kAccuracyConvention =
    "accuracy: share of rows whose most probable class is the label, ties go to the lowest class index";
inline constexpr const char* kBrierConvention =
    "Brier score: squared error summed over the classes, mean over the rows (0 to 2, lower is better)";
inline constexpr const char* kClassScoreConvention =
    "precision TP/(TP+FP), recall TP/(TP+FN), F1 2TP/(2TP+FP+FN); nan where the denominator is 0";

// -1 and +1 to 0 and 1; any other value is refused.
std::vector<Index> binary_class_indices(const Eigen::Ref<const Vector>& y);
// Whole numbers from 0 to classes - 1 as they are; any other value is refused.
std::vector<Index> class_indices(const Eigen::Ref<const Vector>& y, Index classes);

// The most probable class of each row; of equal ones the lowest.
std::vector<Index> most_probable(const ConstMatrixRef& probabilities);
// The probability of that class, per row.
DoubleVector confidence(const ConstMatrixRef& probabilities);
// 1 where the most probable class is not the label, else 0.
DoubleVector zero_one_loss(const ConstMatrixRef& probabilities, std::span<const Index> labels);

double accuracy(const ConstMatrixRef& probabilities, std::span<const Index> labels);
double brier(const ConstMatrixRef& probabilities, std::span<const Index> labels);

// Nothing is floored unless asked: a true label of probability 0 makes the mean -inf, and that is the honest figure.
struct LogLikelihoodOptions {
  double probability_floor = 0;  // probabilities below count as this; 0 to 1
};
// (1/n) sum_i log p_i(label_i), natural logarithm.
double mean_log_likelihood(const ConstMatrixRef& probabilities,
                           std::span<const Index> labels,
                           const LogLikelihoodOptions& options = {});
std::string describe(const LogLikelihoodOptions& options);

struct ClassScore {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

// Counts of (label, predicted) pairs. They add up: agents' counts summed are those of all their rows.
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(Index classes);
  void add(const ConstMatrixRef& probabilities, std::span<const Index> labels);
  void add(Index label, Index predicted);
  ConfusionMatrix& operator+=(const ConfusionMatrix& other);

  Index classes() const { return counts_.rows(); }
  std::int64_t count(Index label, Index predicted) const;
  // One class against all others.
  ClassScore score(Index positive) const;

 private:
  Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> counts_;  // C x C
};

}  // namespace fedstein
