// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdio>

#include "fedstein/numeric/matrix.h"
#include "fedstein/numeric/parallel.h"
#include "gemm_rate.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::printf("fedstein %s, %s, %d threads; this machine's Eigen GEMM: %.1f GFLOP/s (column GEMM, in 10^9)\n",
              FEDSTEIN_VERSION,
              fedstein::kRealName,
              fedstein::available_threads(),
              fedstein::gemm_rate() * 1e-9);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
