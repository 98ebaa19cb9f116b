// SPDX-License-Identifier: Apache-2.0
#include "bandwidth.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "fedstein/numeric/matrix.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kBytes = Index{512} << 20;  // several times the last-level cache of a server
constexpr Index kPieceBytes = Index{4} << 20;
constexpr int kRepeats = 7;

double measure() {
  constexpr Index kPiece = kPieceBytes / static_cast<Index>(sizeof(Real));
  const Vector values = Vector::Constant(kBytes / static_cast<Index>(sizeof(Real)), Real{1});
  Vector sums = Vector::Zero(pieces(values.size(), kPiece));
  double best = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    parallel_for(values.size(), kPiece, [&](Index begin, Index end) {
      sums(begin / kPiece) = values.segment(begin, end - begin).sum();
    });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(kBytes) / seconds.count());
  }
  // What was read must have been used, or the compiler may leave it out.
  if (!(sums.sum() > 0)) throw std::runtime_error("read_bandwidth: a sum of ones is not above 0");
  return best;
}

}  // namespace

double read_bandwidth() {
  static const double rate = measure();
  return rate;
}

}  // namespace fedstein
