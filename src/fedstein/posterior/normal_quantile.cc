// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/normal_quantile.h"

#include <cmath>
#include <numbers>

#include "fedstein/numeric/check.h"

namespace fedstein {

// Halving: asked a few times, and beyond 39 deviations no double is left.
double normal_quantile(double p) {
  check_argument(p > 0 && p < 1, "normal_quantile", [&] {
    return "the probability is " + to_text(p) + "; it must be above 0 and below 1";
  });
  if (p == 0.5) return 0;
  if (p > 0.5) return -normal_quantile(1 - p);
  double low = -39;
  double high = 0;
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < p ? low : high) = middle;
  }
}

}  // namespace fedstein
