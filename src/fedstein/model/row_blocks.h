// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "fedstein/numeric/log_sum_exp.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {

// Rows that an evaluation handles at a time: enough to feed a matrix product, few enough that 100 particles' results
// for them stay in the second-level cache.
inline constexpr Index kEvaluationRows = 256;

// Calls body(begin, count) for every block of kEvaluationRows rows, in parallel.
template <typename Body>
void for_row_blocks(Index rows, const Body& body) {
  const auto piece = [&body](Index begin, Index end) { body(begin, end - begin); };
  parallel_for(rows, kEvaluationRows, std::ref(piece));
}

// Per particle, the sum over all rows of what block_sums(begin, count, n) returns for one block and particle n; blocks
// are added in order, in double.
template <typename BlockSum>
DoubleVector sum_over_rows(Index particles, Index rows, const BlockSum& block_sum) {
  DoubleMatrix partial(pieces(rows, kEvaluationRows), particles);
  for_row_blocks(rows, [&](Index begin, Index count) {
    for (Index n = 0; n < particles; ++n) partial(begin / kEvaluationRows, n) = block_sum(begin, count, n);
  });
  DoubleVector sums = DoubleVector::Zero(particles);
  for (Index block = 0; block < partial.rows(); ++block) sums += partial.row(block).transpose();
  return sums;
}

// out_i = log of the mean over the columns of exp(log_p), row by row.
template <typename Out>
void log_mean_of_columns(const Eigen::MatrixXd& log_p, Out&& out) {
  Eigen::VectorXd row(log_p.cols());
  for (Index i = 0; i < log_p.rows(); ++i) {
    row = log_p.row(i).transpose();
    const std::span<const double> values(row.data(), static_cast<std::size_t>(row.size()));
    out(i) = log_sum_exp(values) - std::log(static_cast<double>(row.size()));
  }
}

// Per row, log of the mean over particles of exp(log p), where fill(begin, count, n, out) writes particle n's log p of
// one block of rows into `out` (Eigen double vector of `count`).
template <typename Fill>
DoubleVector log_mean_over_particles(Index particles, Index rows, const Fill& fill) {
  DoubleVector result(rows);
  for_row_blocks(rows, [&](Index begin, Index count) {
    // Column by column: particle n writes contiguously, and each row is gathered once.
    Eigen::MatrixXd log_p(count, particles);
    for (Index n = 0; n < particles; ++n) fill(begin, count, n, log_p.col(n));
    log_mean_of_columns(log_p, result.segment(begin, count));
  });
  return result;
}

}  // namespace fedstein
