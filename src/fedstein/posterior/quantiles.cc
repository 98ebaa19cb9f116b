// SPDX-License-Identifier: Apache-2.0
#include "fedstein/posterior/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fedstein/posterior/normal_quantile.h"

namespace fedstein {
namespace {

// Of a bracket's first width; far below the seven digits that are printed.
constexpr double kQuantileWidth = 1e-10;
constexpr int kMostDoublings = 60;
constexpr int kMostHalvings = 60;

double mixture_cumulative(const DoubleVector& means, const DoubleVector& deviations, double at) {
  double sum = 0;
  for (Index j = 0; j < means.size(); ++j) {
    sum += std::erfc((means(j) - at) / deviations(j) / std::numbers::sqrt2);
  }
  return sum / 2 / static_cast<double>(means.size());
}

// The quantile of a mixture lies between those of its parts. Illinois' variant of the false position, which never
// leaves the bracket.
double mixture_quantile(const DoubleVector& means, const DoubleVector& deviations, double probability, double z) {
  const DoubleVector parts = means + z * deviations;
  double low = parts.minCoeff();
  double high = parts.maxCoeff();
  const double enough = kQuantileWidth * (high - low) + 1e-14 * (std::abs(low) + std::abs(high));
  double below = mixture_cumulative(means, deviations, low) - probability;
  double above = mixture_cumulative(means, deviations, high) - probability;
  if (below >= 0) return low;
  if (above <= 0) return high;
  for (int step = 0; step < 2 * kMostHalvings && high - low > enough; ++step) {
    // In every third step the middle: a flat function between two far modes would hold the other up.
    const double at = step % 3 == 2 ? (low + high) / 2 : low - below * (high - low) / (above - below);
    const double found = mixture_cumulative(means, deviations, at) - probability;
    if (found == 0) return at;
    if (found < 0) {
      low = at;
      below = found;
      above /= 2;
    } else {
      high = at;
      above = found;
      below /= 2;
    }
  }
  return (low + high) / 2;
}

}  // namespace

DoubleMatrix mixture_quantiles(const ConstMatrixRef& means,
                               const ConstMatrixRef& variances,
                               const std::vector<double>& probabilities) {
  DoubleMatrix out(means.rows(), static_cast<Index>(probabilities.size()));
  std::vector<double> z;
  for (const double p : probabilities) z.push_back(normal_quantile(p));
  for (Index row = 0; row < means.rows(); ++row) {
    const DoubleVector centres = means.row(row).transpose().cast<double>();
    const DoubleVector deviations = variances.row(row).transpose().cast<double>().cwiseSqrt();
    for (std::size_t q = 0; q < probabilities.size(); ++q) {
      out(row, static_cast<Index>(q)) = mixture_quantile(centres, deviations, probabilities[q], z[q]);
    }
  }
  return out;
}

DoubleVector continuous_quantile(const CumulativeRows& cumulative,
                                 DoubleVector low,
                                 DoubleVector high,
                                 double probability) {
  for (int step = 0; step < kMostDoublings; ++step) {
    const DoubleVector at_low = cumulative(low);
    const DoubleVector at_high = cumulative(high);
    bool inside = true;
    for (Index i = 0; i < low.size(); ++i) {
      const double width = high(i) - low(i);
      if (at_low(i) > probability) low(i) -= width;
      if (at_high(i) < probability) high(i) += width;
      inside = inside && at_low(i) <= probability && at_high(i) >= probability;
    }
    if (inside) break;
  }
  for (int step = 0; step < kMostHalvings; ++step) {
    const DoubleVector middle = (low + high) / 2;
    const DoubleVector found = cumulative(middle);
    for (Index i = 0; i < low.size(); ++i) (found(i) < probability ? low : high)(i) = middle(i);
  }
  return (low + high) / 2;
}

DoubleVector count_quantile(const CumulativeRows& cumulative, const DoubleVector& guess, double probability) {
  DoubleVector low = DoubleVector::Constant(guess.size(), -1);  // the function is below the probability there
  DoubleVector high = (guess.array() + 1).ceil().max(1);
  for (int step = 0; step < kMostDoublings; ++step) {
    const DoubleVector found = cumulative(high);
    bool inside = true;
    for (Index i = 0; i < high.size(); ++i) {
      if (found(i) >= probability) continue;
      low(i) = high(i);
      high(i) *= 2;
      inside = false;
    }
    if (inside) break;
  }
  for (int step = 0; step < 2 * kMostHalvings && (high - low).maxCoeff() > 1; ++step) {
    const DoubleVector middle = ((low + high) / 2).array().floor();
    const DoubleVector found = cumulative(middle.cwiseMax(0));
    for (Index i = 0; i < high.size(); ++i) {
      if (high(i) - low(i) > 1) (found(i) < probability ? low : high)(i) = middle(i);
    }
  }
  return high;
}

}  // namespace fedstein
