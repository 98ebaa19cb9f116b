// SPDX-License-Identifier: Apache-2.0
#include "gemm_rate.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "fedstein/numeric/matrix.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

constexpr Index kSize = 1024;
constexpr int kRepeats = 7;

double measure() {
  struct Work {
    Matrix a = Matrix::Random(kSize, kSize);
    Matrix b = Matrix::Random(kSize, kSize);
    Matrix c = Matrix::Zero(kSize, kSize);
  };
  std::vector<Work> work(static_cast<std::size_t>(available_threads()));
  const auto threads = static_cast<Index>(work.size());
  double best = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    parallel_for(threads, 1, [&](Index i, Index) {
      Work& mine = work[static_cast<std::size_t>(i)];
      mine.c.noalias() = mine.a * mine.b;
    });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, 2.0 * kSize * kSize * kSize * static_cast<double>(threads) / seconds.count());
  }
  return best;
}

}  // namespace

double gemm_rate() {
  static const double rate = measure();
  return rate;
}

}  // namespace fedstein
