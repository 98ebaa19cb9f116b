// SPDX-License-Identifier: Apache-2.0
// One step of svgd(): direction and AdaGrad, at the sizes of the paper's experiments and beyond.
//
// Operations counted per step, for N particles in d dimensions (a multiply and an add are two):
//
//   distances      N (N-1) / 2 pairs * 3 d     difference, square, sum; half of the matrix
//   direction      2 * N * 2N * d              one product [K | 2F'] (N x 2N) by [s ; x] (2N x d)
//   the rest       about 12 N d                centring, AdaGrad
//
// The bandwidth's median and the N^2 exponentials are not counted: they are overhead here.
#include <benchmark/benchmark.h>

#include "fedstein/numeric/rng.h"
#include "fedstein/stein/direction.h"
#include "fedstein/stein/step_rule.h"
#include "gemm_rate.h"

namespace fedstein {
namespace {

double operations(double n, double d) {
  return n * (n - 1) / 2 * 3 * d + 4 * n * n * d + 12 * n * d;
}

void svgd_step(benchmark::State& state) {
  const Index n = state.range(0);
  const Index d = state.range(1);
  Particles x(n, d);
  Rng({.seed = 1, .purpose = Purpose::kTest}).fill_normal(x);
  const Matrix score = -x;  // of a standard normal
  Matrix phi(n, d);
  const RbfKernel kernel;
  const auto rule = AdaGrad().start(n, d);
  for (auto _ : state) {
    stein_direction(kernel, x, score, phi);
    rule->step(phi, x);
    benchmark::DoNotOptimize(x.data());
  }
  const double work = operations(static_cast<double>(n), static_cast<double>(d));
  state.counters["GFLOP/s"] = benchmark::Counter(work * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["GEMM"] = gemm_rate() * 1e-9;
}

BENCHMARK(svgd_step)
    ->ArgsProduct({{6, 20, 200, 1000}, {1, 55, 1000, 79510}})
    ->ArgNames({"N", "d"})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fedstein
