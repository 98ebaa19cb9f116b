// SPDX-License-Identifier: Apache-2.0
// Rows of counts, and counts by plain loops in double with the library's own lgamma.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "model/model_data.h"

namespace fedstein {

inline Rows count_rows(Index rows, Index columns, std::uint64_t seed) {
  Rows data{random_matrix(rows, columns, seed), Vector(rows)};
  Rng rng({.seed = seed + 1000, .purpose = Purpose::kTest});
  for (Real& count : data.y) count = static_cast<Real>(std::floor(std::exp(3 * rng.uniform() * rng.normal())));
  return data;
}

inline double plain_log_rate(const Matrix& theta, Index n, const Matrix& x, Index i, bool intercept) {
  double sum = intercept ? double{theta(n, x.cols())} : 0;
  for (Index k = 0; k < x.cols(); ++k) sum += double{theta(n, k)} * double{x(i, k)};
  return sum;
}

inline double plain_poisson(double y, double log_rate) {
  return y * log_rate - std::exp(log_rate) - std::lgamma(y + 1);
}

inline double plain_negative_binomial(double y, double log_rate, double log_dispersion) {
  const double r = std::exp(-log_dispersion);
  const double m = std::exp(log_rate);
  return std::lgamma(y + r) - std::lgamma(r) - std::lgamma(y + 1) + r * std::log(r / (r + m)) +
         y * std::log(m / (r + m));
}

}  // namespace fedstein
