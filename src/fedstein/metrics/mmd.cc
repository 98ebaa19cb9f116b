// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fedstein/metrics/arguments.h"
#include "fedstein/metrics/divergence.h"
#include "fedstein/numeric/distances.h"
#include "fedstein/numeric/scratch.h"

namespace fedstein {
namespace {

constexpr Index kRowBlock = 256;  // rows of distances alive at a time

struct KernelSums {
  double all = 0;
  double diagonal = 0;  // of i = j, for x against itself
};

// Equal sets give equal bits whether called as (x, x) or (x, y): the biased estimate of equal sets is 0.
KernelSums kernel_sums(const ConstMatrixRef& x, const ConstMatrixRef& y, double bandwidth) {
  KernelSums sums;
  for (Index begin = 0; begin < x.rows(); begin += kRowBlock) {
    const Index count = std::min(kRowBlock, x.rows() - begin);
    Scratch distances(count, y.rows());
    squared_distances(x.middleRows(begin, count), y, *distances);
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < y.rows(); ++j) {
        // Divided twice: the square of a tiny bandwidth would be 0, and 0 / 0 on the diagonal no number.
        const double value = std::exp(-static_cast<double>((*distances)(i, j)) / bandwidth / bandwidth / 2);
        sums.all += value;
        if (begin + i == j) sums.diagonal += value;
      }
    }
  }
  return sums;
}

double biased_mean(const KernelSums& sums, Index count) {
  return sums.all / static_cast<double>(count * count);
}

double unbiased_mean(const KernelSums& sums, Index count) {
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  return (sums.all - sums.diagonal) / static_cast<double>(count * (count - 1));
}

void check_sets(const char* function, const ConstMatrixRef& x, const ConstMatrixRef& y) {
  check_not_empty(function, "x", x);
  check_not_empty(function, "y", y);
  check_columns(function, "y", y, x.cols());
  check_finite(function, "x", x);
  check_finite(function, "y", y);
}

}  // namespace

Mmd squared_mmd(const ConstMatrixRef& x, const ConstMatrixRef& y, double bandwidth) {
  check_sets("squared_mmd", x, y);
  check_positive("squared_mmd", "bandwidth", bandwidth);
  const KernelSums within_x = kernel_sums(x, x, bandwidth);
  const KernelSums within_y = kernel_sums(y, y, bandwidth);
  const double between = kernel_sums(x, y, bandwidth).all / static_cast<double>(x.rows() * y.rows());
  Mmd out;
  out.biased = std::max(biased_mean(within_x, x.rows()) + biased_mean(within_y, y.rows()) - 2 * between, 0.0);
  out.unbiased = unbiased_mean(within_x, x.rows()) + unbiased_mean(within_y, y.rows()) - 2 * between;
  out.bandwidth = bandwidth;
  return out;
}

Mmd squared_mmd(const ConstMatrixRef& x, const ConstMatrixRef& y) {
  return squared_mmd(x, y, median_distance(x, y));
}

double median_distance(const ConstMatrixRef& x, const ConstMatrixRef& y) {
  constexpr const char* kWho = "median_distance";
  check_sets(kWho, x, y);
  Matrix pooled(x.rows() + y.rows(), x.cols());
  pooled << x, y;
  std::vector<Real> pairs;
  pairs.reserve(static_cast<std::size_t>(pooled.rows() * (pooled.rows() - 1) / 2));
  for (Index begin = 0; begin < pooled.rows(); begin += kRowBlock) {
    const Index count = std::min(kRowBlock, pooled.rows() - begin);
    Scratch distances(count, begin + count);
    squared_distances(pooled.middleRows(begin, count), pooled.topRows(begin + count), *distances);
    for (Index i = 0; i < count; ++i) {
      const auto row = distances->row(i).head(begin + i);
      pairs.insert(pairs.end(), row.data(), row.data() + row.size());
    }
  }
  const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 2);
  std::nth_element(pairs.begin(), middle, pairs.end());
  double median = std::sqrt(static_cast<double>(*middle));
  if (pairs.size() % 2 == 0) {
    median = (median + std::sqrt(static_cast<double>(*std::max_element(pairs.begin(), middle)))) / 2;
  }
  check_argument(median > 0,
                 kWho,
                 "the median distance of the " + std::to_string(pooled.rows()) +
                     " pooled particles is 0; give a bandwidth above 0 instead");
  return median;
}

std::string describe(const Mmd& mmd) {
  return "squared MMD, kernel exp(-|a - b|^2 / (2 h^2)) with h = " + to_text(mmd.bandwidth);
}

}  // namespace fedstein
