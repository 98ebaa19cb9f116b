// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fedstein/posterior/posterior.h"

namespace fedstein {

// A new row lies outside a feature's training range somewhere quite often when features are many and rows few; beyond a
// quarter of the range's width it is worth a word.
inline constexpr double kUnusualMargin = 0.25;
// Where ranges are not known, but means and deviations: with ten of them no training row in a hundred can be as far out
// (Chebyshev).
inline constexpr double kUnusualDeviations = 10;
// What lies further out there is predicted as if at so many: nearly all training rows are within, and at ten a model is
// as sure as anywhere.
inline constexpr double kEdgeDeviations = 3;

// Which features of new rows lie where no training row was: there a model goes on in a straight line, and is surer the
// further it goes.
class UnusualFeatures {
 public:
  explicit UnusualFeatures(const Posterior& posterior);

  // False: neither the ranges of training are known nor a scaling that tells of them.
  bool can_tell() const { return low_.size() > 0; }
  // Numbers of the features, ascending, of one raw row.
  std::vector<Index> of(const ConstMatrixRef& row) const;
  // Raw rows whose unusual numbers are at the edge of what is usual. Marks of categories and of missing values stay:
  // what a model has not learned of them it doubts by itself.
  Matrix brought_near(const ConstMatrixRef& rows) const;

 private:
  std::vector<bool> is_mark_;
  DoubleVector low_;
  DoubleVector high_;
  DoubleVector low_edge_;
  DoubleVector high_edge_;
};

}  // namespace fedstein
