// SPDX-License-Identifier: Apache-2.0
// Whether a score puts rows in the right order: positives above negatives, errors where the model is least confident.
#pragma once

#include <span>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

inline constexpr const char* kAurocConvention =
    "AUROC: probability that a positive row scores above a negative one, ties count one half";
inline constexpr const char* kRiskCoverageConvention =
    "risk-coverage: mean loss of the rows kept, most confident first, equal confidences kept together; area = mean "
    "over "
    "k = 1..n of the risk of the k most confident rows, in expectation over the order inside ties";
inline constexpr const char* kAbstentionConvention =
    "accuracy of the rows answered when the least confident are left out: at most the fraction asked for, equal "
    "confidences left out together";

// By mid-ranks in O(n log n). Labels are 0 or 1, both present; scores may be infinite, not NaN.
double auroc(const Eigen::Ref<const DoubleVector>& scores, std::span<const Index> labels);

// Rows with confidence >= threshold are kept.
struct RiskCoveragePoint {
  double threshold = 0;
  double coverage = 0;  // share of rows kept
  double risk = 0;      // their mean loss
};

struct RiskCoverage {
  std::vector<RiskCoveragePoint> points;  // one per distinct confidence, falling; the last one keeps every row
  double area = 0;                        // AURC (Geifman et al. 2019)
};

// Loss: 0 or 1 (zero_one_loss in classification.h), or any finite loss, as the squared error of a regression.
RiskCoverage risk_coverage(const Eigen::Ref<const DoubleVector>& confidences,
                           const Eigen::Ref<const DoubleVector>& losses);

struct AbstentionPoint {
  double asked = 0;      // the fraction the caller allowed
  double abstained = 0;  // the fraction that a threshold can leave out without exceeding it
  double threshold = 0;  // rows with confidence >= threshold are answered
  double accuracy = 0;   // of those
};

// One point per fraction, each from 0 to below 1: at least one row is always answered. Losses are 0 or 1.
std::vector<AbstentionPoint> accuracy_when_abstaining(const Eigen::Ref<const DoubleVector>& confidences,
                                                      const Eigen::Ref<const DoubleVector>& losses,
                                                      std::span<const double> fractions);

}  // namespace fedstein
