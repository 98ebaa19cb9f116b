// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "fedstein/metrics/calibration.h"
#include "fedstein/numeric/matrix.h"

namespace fedstein {

// All of a classifier's figures in one pass over its rows. Blocks of rows may be tallied apart and added: added in
// order they give the same bits whoever tallied which. The figures are those of classification.h and calibration.h, and
// refused without a single row.
class ClassificationTally {
 public:
  explicit ClassificationTally(Index bins = kDefaultBins) : bins_(bins) {}

  // Probabilities (n x C), class indices, and the log density of each row's label: -inf passes, NaN does not.
  void add(const ConstMatrixRef& probabilities,
           std::span<const Index> labels,
           const Eigen::Ref<const DoubleVector>& log_densities);
  ClassificationTally& operator+=(const ClassificationTally& other);

  std::int64_t rows() const { return rows_; }
  double accuracy() const { return mean(static_cast<double>(right_)); }
  double log_likelihood() const { return mean(log_likelihood_); }
  double brier() const { return mean(brier_); }
  const ReliabilityBins& bins() const { return bins_; }

 private:
  double mean(double sum) const;

  std::int64_t rows_ = 0;
  std::int64_t right_ = 0;
  double log_likelihood_ = 0;
  double brier_ = 0;
  ReliabilityBins bins_;
};

}  // namespace fedstein
