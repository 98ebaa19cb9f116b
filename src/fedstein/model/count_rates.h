// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fedstein/model/batch.h"

namespace fedstein {

// Calls visit(i, rate, beyond) for every row, with rate = exp(min(offset + values(i), most)) and what the log rate has
// above `most`. In double, for a large count's rate must not differ from it by rounding; exponentials in whole
// registers. visit may change values(i).
template <typename Visit>
void for_count_rates(double offset, double most, const VectorRef& values, const Visit& visit) {
  constexpr Index kBlock = 64;
  Eigen::Array<double, kBlock, 1> log_rates;
  Eigen::Array<double, kBlock, 1> rates;
  for (Index begin = 0; begin < values.size(); begin += kBlock) {
    const Index count = std::min(kBlock, values.size() - begin);
    log_rates.setZero();
    for (Index i = 0; i < count; ++i) log_rates(i) = offset + static_cast<double>(values(begin + i));
    // What is no number stays none, which Eigen's min does not promise.
    for (Index i = 0; i < count; ++i) rates(i) = log_rates(i) > most ? most : log_rates(i);
    for (Index i = count; i < kBlock; ++i) rates(i) = 0;
    rates = rates.exp();
    for (Index i = 0; i < count; ++i) {
      const double beyond = log_rates(i) > most ? log_rates(i) - most : 0;
      visit(begin + i, rates(i), beyond);
    }
  }
}

}  // namespace fedstein
