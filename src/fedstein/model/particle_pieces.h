// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>

#include "fedstein/numeric/parallel.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {

// Rows that a network handles at a time when it is differentiated.
inline constexpr Index kDifferentiationRows = 512;

// grad.row(n) += what body(n, first row, count, grad row) adds, over all rows in blocks of kDifferentiationRows, in
// parallel over particles and, where there are few particles and many rows, over slices of the rows as well. The pieces
// depend on the shapes alone. `cost` is the operations per row and particle: small work is not worth a second thread.
template <typename Body>
void for_particle_pieces(Index rows, double cost, MatrixRef grad, const Body& body) {
  constexpr double kWorthATask = 2e5;  // operations: some 5 microseconds
  constexpr Index kEnoughTasks = 16;
  const Index particles = grad.rows();
  const auto in_blocks = [&body](Index n, Index begin, Index end, auto&& out) {
    for (Index first = begin; first < end; first += kDifferentiationRows) {
      body(n, first, std::min(kDifferentiationRows, end - first), out);
    }
  };
  const Index slices =
      std::clamp(pieces(kEnoughTasks, particles), Index{1}, std::max(Index{1}, rows / (4 * kDifferentiationRows)));
  if (slices == 1) {
    const double work = cost * static_cast<double>(rows);
    const auto grain = static_cast<Index>(std::clamp(kWorthATask / work, 1.0, static_cast<double>(particles)));
    const auto piece = [&](Index begin, Index end) {
      for (Index n = begin; n < end; ++n) in_blocks(n, 0, rows, grad.row(n));
    };
    parallel_for(particles, grain, std::ref(piece));
    return;
  }
  const Index slice = pieces(rows, slices);
  Scratch partial(slices * particles, grad.cols());
  auto& sums = *partial;
  const auto piece = [&](Index task, Index) {
    auto sum = sums.row(task);
    sum.setZero();
    const Index begin = std::min(rows, task / particles * slice);
    in_blocks(task % particles, begin, std::min(rows, begin + slice), sum);
  };
  parallel_for(slices * particles, 1, std::ref(piece));
  for (Index task = 0; task < sums.rows(); ++task) grad.row(task % particles) += sums.row(task);
}

}  // namespace fedstein
