// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/count_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace fedstein {
namespace {

// From here on four terms of Stirling's series have all digits of a double.
constexpr double kStirling = 16;
// Sums of so few terms are added up one by one.
constexpr double kFewTerms = 16;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kLargeSize = 1e4;
// Near its middle a distribution of standard deviation s takes some ten s terms; the largest rate has s = 2e4.
constexpr int kMostTerms = 1'000'000;

// log Gamma(z) = (z - 1/2) log z - z + 1/2 log 2 pi + correction(z), z >= kStirling.
double correction(double z) {
  const double w = 1 / (z * z);
  return (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / z;
}

// digamma(z) = log z - digamma_correction(z)
double digamma_correction(double z) {
  const double w = 1 / (z * z);
  return 0.5 / z + w * (1.0 / 12 - w * (1.0 / 120 - w * (1.0 / 252 - w * (1.0 / 240 - w / 132))));
}

// trigamma(z) = 1/z + trigamma_correction(z)
double trigamma_correction(double z) {
  const double w = 1 / (z * z);
  return w * 0.5 + w / z * (1.0 / 6 - w * (1.0 / 30 - w * (1.0 / 42 - w * (1.0 / 30 - w * 5 / 66))));
}

// The first terms of a sum one by one, until the series of the rest converge.
struct Rise {
  double first = 0;  // how many terms are added up
  double from = 0;   // size + first
  double rest = 0;   // how many are left
};

Rise split_rise(double size, double count) {
  const double first = count <= kFewTerms ? count : std::max(0.0, std::ceil(kStirling - size));
  return {first, size + first, count - first};
}

// Whole, and none below 0: a label that a teacher made up need be neither.
double whole(double count) {
  return std::max(0.0, std::round(count));
}

// sum over k < rest of 1 / (from + k) = digamma(from + rest) - digamma(from)
double sum_of_inverses(const Rise& rise) {
  return std::log1p(rise.rest / rise.from) + digamma_correction(rise.from) - digamma_correction(rise.from + rise.rest);
}

// The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double upper = 1;
  double lower = 1 / away_from_zero(1 - (a + b) / (a + 1) * x);
  double value = lower;
  for (int i = 1; i < kMostTerms; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    lower = 1 / away_from_zero(1 + even * lower);
    upper = away_from_zero(1 + even / upper);
    value *= lower * upper;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    lower = 1 / away_from_zero(1 + odd * lower);
    upper = away_from_zero(1 + odd / upper);
    const double factor = lower * upper;
    value *= factor;
    if (std::abs(factor - 1) < 2 * kEpsilon) break;
  }
  return value;
}

}  // namespace

double log_factorial(double count) {
  static const auto table = [] {
    std::array<double, static_cast<std::size_t>(kStirling)> logs{};
    for (std::size_t k = 2; k < logs.size(); ++k) logs[k] = logs[k - 1] + std::log(static_cast<double>(k));
    return logs;
  }();
  if (count < kStirling) return table[static_cast<std::size_t>(whole(count))];
  return (count + 0.5) * std::log(count) - count + 0.5 * std::log(2 * std::numbers::pi) + correction(count);
}

double rise_log(double size, double count) {
  const Rise rise = split_rise(size, whole(count));
  double sum = 0;
  for (double k = 1; k < rise.first; ++k) sum += std::log1p(k / size);
  if (rise.rest == 0) return sum;
  const double end = rise.from + rise.rest;
  if (rise.first > 0) sum += rise.rest * std::log(rise.from / size);
  return sum + (end - 0.5) * std::log1p(rise.rest / rise.from) - rise.rest + correction(end) - correction(rise.from);
}

double rise_slope(double size, double count) {
  const Rise rise = split_rise(size, whole(count));
  double sum = 0;
  for (double k = 1; k < rise.first; ++k) sum += k / (size + k);
  return rise.rest == 0 ? sum : sum + rise.rest - size * sum_of_inverses(rise);
}

double rise_bend(double size, double count) {
  const Rise rise = split_rise(size, whole(count));
  double sum = 0;
  for (double k = 1; k < rise.first; ++k) sum += k / (size + k) * (size / (size + k));
  if (rise.rest == 0) return sum;
  const double end = rise.from + rise.rest;
  const double squares = rise.rest / (rise.from * end) + trigamma_correction(rise.from) - trigamma_correction(end);
  return sum + size * (sum_of_inverses(rise) - size * squares);
}

// Terms fall from the count outwards, below the rate towards 0 and above it towards infinity: all of one sign.
double poisson_cumulative(double count, double rate, double log_p) {
  const double p = std::exp(log_p);
  double term = 1;
  double sum = 0;
  if (count < rate) {
    for (double k = count; k >= 0 && term > kEpsilon * sum; --k) {
      sum += term;
      term *= k / rate;
    }
    return std::min(1.0, p * sum);
  }
  for (double k = count + 1; k < count + kMostTerms; ++k) {
    term *= rate / k;
    sum += term;
    if (!(term > kEpsilon * sum)) break;
  }
  return std::max(0.0, 1 - p * sum);
}

// The incomplete beta function I_p(size, count + 1), whichever way its fraction converges. Of a large size the fraction
// of the lower part begins with a difference of nearly equal numbers, and terms fall almost as a Poisson's do.
double negative_binomial_cumulative(double count, double rate, double size, double log_p) {
  const double farthest = 1 + std::max(rate, count);
  if (farthest * farthest < kEpsilon * size) return poisson_cumulative(count, rate, log_p);
  const double q = rate / (size + rate);
  const double p = size / (size + rate);
  const double b = count + 1;
  const double front = std::exp(log_p) * q * (size + count);
  if (q <= (b + 1) / (size + b + 2)) return std::max(0.0, 1 - front / b * beta_fraction(b, size, q));
  if (size < kLargeSize) return std::min(1.0, front / size * beta_fraction(size, b, p));
  double term = 1;
  double sum = 0;
  for (double k = count; k >= 0 && term > kEpsilon * sum; --k) {
    sum += term;
    term *= k / ((k - 1 + size) * q);
  }
  return std::min(1.0, std::exp(log_p) * sum);
}

}  // namespace fedstein
