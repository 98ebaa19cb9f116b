// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/unusual.h"

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// A column that was constant in training, as single precision holds it.
constexpr double kRounding = 1e-6;

// Features that are 0 or 1. However rare a 1 is, it is nothing unusual where training has seen it: its mean is above 0.
std::vector<Index> places_of_marks(const Posterior& posterior) {
  std::vector<Index> out;
  if (!posterior.table) return out;
  Index at = 0;
  for (const TableColumn& column : posterior.table->columns) {
    for (Index k = column.is_number() ? 1 : 0; k < feature_count(column); ++k) out.push_back(at + k);
    at += feature_count(column);
  }
  return out;
}

}  // namespace

UnusualFeatures::UnusualFeatures(const Posterior& posterior) {
  const Scaling& scaling = posterior.scaling;
  const std::vector<Index> marks = places_of_marks(posterior);
  is_mark_.assign(static_cast<std::size_t>(posterior.shape.features), false);
  for (const Index k : marks) is_mark_[static_cast<std::size_t>(k)] = true;
  if (posterior.ranges.are_known()) {
    low_ = posterior.ranges.low;
    high_ = posterior.ranges.high;
  } else if (scaling.rule == ScalingRule::kUnitInterval) {
    low_ = scaling.shift;
    high_ = scaling.shift + scaling.spread;
  } else if (scaling.rule == ScalingRule::kStandardise) {
    low_ = scaling.shift - kUnusualDeviations * scaling.spread;
    high_ = scaling.shift + kUnusualDeviations * scaling.spread;
    for (const Index k : marks) {
      low_(k) = 0;
      high_(k) = scaling.shift(k) > 0 ? 1 : 0;
    }
    low_edge_ = scaling.shift - kEdgeDeviations * scaling.spread;
    high_edge_ = scaling.shift + kEdgeDeviations * scaling.spread;
    return;
  } else {
    return;
  }
  const DoubleVector rounding = kRounding * low_.cwiseAbs().cwiseMax(high_.cwiseAbs());
  const DoubleVector margin = kUnusualMargin * (high_ - low_) + rounding;
  low_ -= margin;
  high_ += margin;
  low_edge_ = low_;
  high_edge_ = high_;
}

std::vector<Index> UnusualFeatures::of(const ConstMatrixRef& row) const {
  std::vector<Index> out;
  for (Index k = 0; k < low_.size(); ++k) {
    const auto value = static_cast<double>(row(0, k));
    if (value < low_(k) || value > high_(k)) out.push_back(k);
  }
  return out;
}

Matrix UnusualFeatures::brought_near(const ConstMatrixRef& rows) const {
  Matrix out = rows;
  for (Index k = 0; k < low_.size(); ++k) {
    if (is_mark_[static_cast<std::size_t>(k)]) continue;
    for (Index row = 0; row < out.rows(); ++row) {
      const auto value = static_cast<double>(out(row, k));
      if (value < low_(k)) out(row, k) = static_cast<Real>(low_edge_(k));
      if (value > high_(k)) out(row, k) = static_cast<Real>(high_edge_(k));
    }
  }
  return out;
}

}  // namespace fedstein
