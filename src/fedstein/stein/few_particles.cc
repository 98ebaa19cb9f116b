// SPDX-License-Identifier: Apache-2.0
//
// Everything lies by anchor, the particles side by side: minima, exponentials and sums over anchors are then operations
// on whole rows.
#include "fedstein/stein/few_particles.h"

#include <limits>

#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/narrow.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kMostColumns = 1024;
constexpr Real kFarAway = -1000;  // an exponent that no weight survives

using Side = Eigen::Array<Real, kNarrowColumns, 1>;  // a value for each particle

Eigen::Map<Side> row_of(MatrixRef& weights, Index m) {
  return Eigen::Map<Side>(weights.data() + m * kNarrowColumns);
}

// The nearest anchor gets 0, the others what they are further away, in units of h and downwards.
void to_exponents(const SoftmaxGroup& group, MatrixRef& weights) {
  Side nearest = row_of(weights, group.begin);
  for (Index m = 1; m < group.count; ++m) nearest = nearest.min(row_of(weights, group.begin + m));
  const bool vanishes = group.h < static_cast<double>(std::numeric_limits<Real>::min());
  const auto scale = static_cast<Real>(vanishes ? 0 : -1 / group.h);
  for (Index m = 0; m < group.count; ++m) {
    auto row = row_of(weights, group.begin + m);
    if (vanishes) {
      row = (row == nearest).select(Side::Zero(), Side::Constant(kFarAway));
    } else {
      row = (row - nearest) * scale;
    }
  }
}

void to_weights(const SoftmaxGroup& group, MatrixRef& weights) {
  constexpr Real kNegligible = std::numeric_limits<Real>::epsilon() * std::numeric_limits<Real>::epsilon();
  Side sum = Side::Zero();
  for (Index m = 0; m < group.count; ++m) {
    auto row = row_of(weights, group.begin + m);
    row = (row < kNegligible).select(Side::Zero(), row);
    sum += row;
  }
  sum = sum.inverse();
  for (Index m = 0; m < group.count; ++m) row_of(weights, group.begin + m) *= sum;
}

}  // namespace

bool are_few(const ConstMatrixRef& theta) {
  return theta.rows() <= kNarrowColumns && theta.cols() >= fewest_columns() && theta.cols() <= kMostColumns;
}

void few_softmax_weights(std::span<const SoftmaxGroup> groups,
                         const ConstMatrixRef& theta,
                         const ConstMatrixRef& anchors,
                         MatrixRef weights) {
  Scratch x(theta.cols(), kNarrowColumns);
  to_narrow(theta, x->data());
  narrow_squared_distances(
      {anchors.data(), anchors.rows(), anchors.outerStride()}, theta.cols(), x->data(), weights.data());
  for (const SoftmaxGroup& group : groups) to_exponents(group, weights);
  exp_in_place(weights.data(), weights.size());
  for (const SoftmaxGroup& group : groups) to_weights(group, weights);
}

}  // namespace fedstein
