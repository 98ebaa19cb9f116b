// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <exception>

namespace fedstein {

// What run() returns, for main(); an exception becomes one line and status 1.
template <typename Run>
int guarded(const char* program, const Run& run) {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

}  // namespace fedstein
