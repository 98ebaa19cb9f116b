// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/direction.h"

#include <algorithm>
#include <array>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/elementwise.h"
#include "fedstein/numeric/lanes.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/product.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

// With F'_nj = f'(|x_n - x_j|^2), c_j = x_j - mean and the row sums r of F', the definition becomes
//
//   N phi = K s + 2 F' c - 2 diag(r) c,     and for F' = g K one product:   K (s + 2 g c) - 2 g diag(row sums of K) c.
//
// The mean drops out of the exact sum, but not out of the rounding: particles near 100 and 0.01 apart need it gone.

// c = x - mean over the particles.
void centre(const ConstMatrixRef& x, MatrixRef centred) {
  Scratch mean(1, x.cols());
  mean->row(0) = x.row(0);
  for (Index i = 1; i < x.rows(); ++i) mean->row(0) += x.row(i);
  *mean *= 1 / static_cast<Real>(x.rows());
  for (Index i = 0; i < x.rows(); ++i) centred.row(i) = x.row(i) - mean->row(0);
}

// s += pull c and out_i = push_i c_i, some columns after the other: so many that reading a row is a stream, so few that
// its second reading comes from the first-level cache.
void split(const ConstMatrixRef& x, Real pull, const Real* push, MatrixRef score, MatrixRef out) {
  constexpr Index kBlock = 256;
  alignas(64) std::array<Real, kBlock> means;
  const Index n = x.rows();
  const LaneMask all = last_lanes(kLanes);
  for (Index begin = 0; begin < x.cols(); begin += kBlock) {
    const Index columns = std::min(kBlock, x.cols() - begin);
    const Index whole = columns / kLanes * kLanes;
    const LaneMask rest = last_lanes(columns - whole);
    Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>, Eigen::Aligned64> mean(means.data(), columns);
    mean = x.row(0).segment(begin, columns).array();
    for (Index i = 1; i < n; ++i) mean += x.row(i).segment(begin, columns).array();
    mean *= 1 / static_cast<Real>(n);
    for (Index i = 0; i < n; ++i) {
      const Real* from = x.row(i).data() + begin;
      Real* its_score = score.row(i).data() + begin;
      Real* its_out = out.row(i).data() + begin;
      if (columns < kLanes) {
        for (Index k = 0; k < columns; ++k) {
          its_score[k] += pull * (from[k] - mean(k));
          its_out[k] = push[i] * (from[k] - mean(k));
        }
        continue;
      }
      const auto at = [&](Index k, const LaneMask& counted) {
        const Lanes centred = load_lanes(from + k) - load_lanes(means.data() + k);
        store_lanes(load_lanes(its_score + k) + keep(counted, pull * centred), its_score + k);
        store_lanes(push[i] * centred, its_out + k);
      };
      for (Index k = 0; k < whole; k += kLanes) at(k, all);
      if (whole < columns) at(columns - kLanes, rest);
    }
  }
}

}  // namespace

SteinDirection::SteinDirection(const Kernel& kernel, const ConstMatrixRef& x)
    : x_(x), attraction_(x.rows(), x.rows()), repulsion_(x.rows(), x.rows()), push_(1, x.rows()) {
  check_not_empty("stein_direction", "x", x);
  const Index n = x.rows();
  if (n == 1 || !kernel.couples()) {
    alone_ = 1 / static_cast<Real>(n);
    return;
  }
  const Real share = 1 / static_cast<Real>(n);
  auto& k = *attraction_;
  squared_distances(x, k);
  const double h = kernel.bandwidth().of(k);
  if (const auto log_slope = kernel.log_slope(h)) {
    kernel.evaluate_in_place(h, k);
    k *= share;
    pull_ = static_cast<Real>(2 * *log_slope);
    for (Index i = 0; i < n; ++i) (*push_)(0, i) = -*pull_ * static_cast<Real>(sum_of(k.row(i).data(), n));
  } else {
    Scratch r2(n, n);
    *r2 = k;
    kernel.evaluate(h, *r2, k, *repulsion_);
    k *= share;
    *repulsion_ *= 2 * share;
    push_->row(0) = -repulsion_->rowwise().sum();
  }
}

// With many particles a block is a large product already, with few what belongs to it should fit the second-level
// cache.
Index SteinDirection::columns_per_block(Index particles) {
  return particles > 64 ? 256 : 1024;
}

void SteinDirection::columns(Index first, MatrixRef score, MatrixRef phi) const {
  if (alone_) {
    phi = *alone_ * score;
    return;
  }
  const auto x = x_.middleCols(first, score.cols());
  if (pull_) {
    split(x, *pull_, push_->data(), score, phi);
  } else {
    Scratch centred(x.rows(), x.cols());
    centre(x, *centred);
    phi = push_->row(0).asDiagonal() * *centred;
    add_product(1, *repulsion_, *centred, phi);
  }
  add_product(1, *attraction_, score, phi);
}

void stein_direction(const Kernel& kernel, const ConstMatrixRef& x, const ConstMatrixRef& score, MatrixRef phi) {
  check_same_shape("stein_direction", "score", score, "x", x);
  check_same_shape("stein_direction", "phi", phi, "x", x);
  const SteinDirection direction(kernel, x);
  parallel_for(x.cols(), SteinDirection::columns_per_block(x.rows()), [&](Index begin, Index end) {
    Scratch used(x.rows(), end - begin);
    *used = score.middleCols(begin, end - begin);
    direction.columns(begin, *used, phi.middleCols(begin, end - begin));
  });
}

}  // namespace fedstein
