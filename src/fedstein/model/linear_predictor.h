// SPDX-License-Identifier: Apache-2.0
// What all models that are linear in their weights compute in every step: w.x for each particle and row, and the way
// back, for a handful of particles as for many. Not installed: part of no interface.
#pragma once

#include <algorithm>
#include <functional>

#include "fedstein/model/batch.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {

inline constexpr Index kLinearChunkRows =
    1024;                                       // of 54 floats: 216 KiB, so that both products read them from the cache
inline constexpr Index kMostLinearPieces = 64;  // bounds the memory of the partial sums

// out(n, i) = w_n . x_i, for w (N x p), x (rows x p), out (N x rows).
void linear_predictors(const ConstMatrixRef& w, const ConstMatrixRef& x, MatrixRef out);

// grad_n += sum_i pulls(n, i) x_i, for pulls (N x rows), x (rows x p), grad (N x p).
void add_linear_pulls(const ConstMatrixRef& pulls, const ConstMatrixRef& x, MatrixRef grad);

// The same where x is 1 in every row: sums in double.
void add_pull_sums(const ConstMatrixRef& pulls, MatrixRef grad);

// The leading `columns` of grad += weight * the sum over all rows of what add_rows(begin, count, weight, grad) adds
// for some of them. Few rows are one call; many are cut into pieces that depend on their number alone, worked on in
// parallel and added up in order, in double.
template <typename AddRows>
void add_in_linear_chunks(Index rows, double weight, Index columns, MatrixRef grad, const AddRows& add_rows) {
  if (rows == 0) return;
  if (rows <= kLinearChunkRows) return add_rows(Index{0}, rows, static_cast<Real>(weight), grad);
  const Index particles = grad.rows();
  const Index piece = std::max(kLinearChunkRows, pieces(rows, kMostLinearPieces));
  Scratch partial(pieces(rows, piece) * particles, grad.cols());
  auto& sums = *partial;
  const auto work = [&](Index begin, Index end) {
    MatrixRef sum = sums.middleRows(begin / piece * particles, particles);
    sum.setZero();
    for (Index first = begin; first < end; first += kLinearChunkRows) {
      add_rows(first, std::min(kLinearChunkRows, end - first), Real{1}, sum);
    }
  };
  parallel_for(rows, piece, std::ref(work));
  for (Index n = 0; n < particles; ++n) {
    for (Index k = 0; k < columns; ++k) {
      double sum = 0;
      for (Index p = n; p < sums.rows(); p += particles) sum += static_cast<double>(sums(p, k));
      grad(n, k) += static_cast<Real>(weight * sum);
    }
  }
}

}  // namespace fedstein
