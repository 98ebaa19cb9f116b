// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace fedstein {

// The seconds that `runs` calls take, fastest first; one call before them to warm caches and scratch.
template <typename Call>
std::vector<double> sorted_seconds(int runs, const Call& call) {
  call();
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

// What is compared with something else that is measured so.
template <typename Call>
double median_seconds(int runs, const Call& call) {
  return sorted_seconds(runs, call)[static_cast<std::size_t>(runs) / 2];
}

// What is compared with itself at other sizes: whatever else the machine does only ever adds.
template <typename Call>
double fastest_seconds(int runs, const Call& call) {
  return sorted_seconds(runs, call).front();
}

}  // namespace fedstein
