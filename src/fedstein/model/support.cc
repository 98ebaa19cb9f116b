// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/support.h"

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

double reflected(double value, double low, double high) {
  if ((value >= low && value <= high) || !std::isfinite(value)) return value;
  const double width = high - low;
  const double folded = std::abs(std::remainder(value - low, 2 * width));  // a triangle wave: 0 .. width .. 0
  return low + folded;
}

}  // namespace

bool Support::contains(const Eigen::Ref<const RowVector>& theta) const {
  for (Index k = 0; k < theta.size(); ++k) {
    const auto value = static_cast<double>(theta(k));
    if (!(value >= low(k) && value <= high(k))) return false;
  }
  return true;
}

void Support::reflect(MatrixRef particles) const {
  check_columns("Support::reflect", "particles", particles, low.size());
  for (Index n = 0; n < particles.rows(); ++n) {
    for (Index k = 0; k < particles.cols(); ++k) {
      const auto value = static_cast<double>(particles(n, k));
      const double inside = reflected(value, low(k), high(k));
      if (inside == value || !std::isfinite(value)) continue;
      // The nearest Real may lie just outside a bound that is no Real itself.
      auto rounded = static_cast<Real>(inside);
      if (static_cast<double>(rounded) > high(k)) rounded = std::nextafter(rounded, static_cast<Real>(low(k)));
      if (static_cast<double>(rounded) < low(k)) rounded = std::nextafter(rounded, static_cast<Real>(high(k)));
      particles(n, k) = rounded;
    }
  }
}

void check_support(const char* function, const Support& support) {
  check_argument(support.low.size() == support.high.size() && support.low.size() > 0,
                 function,
                 "the support has " + std::to_string(support.low.size()) + " lower and " +
                     std::to_string(support.high.size()) + " upper bounds; it must have one of each per coordinate");
  for (Index k = 0; k < support.low.size(); ++k) {
    const double low = support.low(k);
    const double high = support.high(k);
    check_argument(std::isfinite(low) && std::isfinite(high) && low < high,
                   function,
                   "the support of coordinate " + std::to_string(k) + " is [" + to_text(low) + ", " + to_text(high) +
                       "]; both bounds must be finite, the lower below the upper");
  }
}

}  // namespace fedstein
