// SPDX-License-Identifier: Apache-2.0
// Numbers as a page needs them: a mean to six digits and an error to three say all there is to see, in half the bytes.
#pragma once

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fedstein/base/text.h"

namespace fedstein {

inline constexpr int kMeanDigits = 6;
inline constexpr int kErrorDigits = 3;
inline constexpr int kDensityDigits = 4;

// null where there is no number.
inline nlohmann::json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  const double close = std::strtod(digits_text(value, digits).c_str(), nullptr);
  // Whole numbers without ".0", as JavaScript writes them.
  if (std::abs(close) < 1e15 && close == std::floor(close)) return static_cast<std::int64_t>(close);
  return close;
}

}  // namespace fedstein
