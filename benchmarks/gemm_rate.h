// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fedstein {

// The machine's own speed limit: floating-point operations per second of Eigen's product of two 1024 x 1024 matrices of
// Real, each thread with its own, all threads at once. Best of several, measured once per process.
double gemm_rate();

}  // namespace fedstein
