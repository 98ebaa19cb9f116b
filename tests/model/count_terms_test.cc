// SPDX-License-Identifier: Apache-2.0
// The sums against their own definitions, term by term in long double.
#include "fedstein/model/count_terms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/close.h"

namespace fedstein {
namespace {

struct Rise {
  double log = 0;
  double slope = 0;
  double bend = 0;
};

Rise by_terms(double size, double count) {
  long double log = 0, slope = 0, bend = 0;
  const auto r = static_cast<long double>(size);
  for (long double k = 1; k < static_cast<long double>(count); ++k) {
    log += std::log1p(k / r);
    slope += k / (r + k);
    bend += k * r / ((r + k) * (r + k));
  }
  return {static_cast<double>(log), static_cast<double>(slope), static_cast<double>(bend)};
}

TEST(CountTerms, EqualTheirSums) {
  for (const double size : {1e-6, 0.03, 0.5, 1.0, 3.7, 15.99, 16.0, 250.0, 1e5, 1e9}) {
    for (const double count : {0.0, 1.0, 2.0, 16.0, 17.0, 40.0, 1000.0, 100000.0}) {
      const Rise expected = by_terms(size, count);
      // What a difference can keep: some rounding errors of the count itself.
      const double least = 1e-14 * (1 + count);
      EXPECT_NEAR(rise_log(size, count), expected.log, 1e-13 * expected.log + least) << size << " " << count;
      EXPECT_NEAR(rise_slope(size, count), expected.slope, 1e-13 * expected.slope + least) << size << " " << count;
      EXPECT_NEAR(rise_bend(size, count), expected.bend, 1e-12 * expected.bend + 10 * least) << size << " " << count;
    }
  }
}

TEST(CountTerms, TheFactorialIsExact) {
  for (const double count : {0.0, 1.0, 2.0, 15.0, 16.0, 17.0, 170.0, 1e6, 16777216.0}) {
    EXPECT_NEAR(log_factorial(count), std::lgamma(count + 1), 1e-14 * std::lgamma(count + 1) + 1e-15) << count;
  }
}

// A teacher's label may be what no count is; it is taken for the nearest that is one.
TEST(CountTerms, WhatIsNoCountIsTakenForTheNearest) {
  EXPECT_EQ(rise_log(2, -3), 0);
  EXPECT_EQ(rise_slope(2, -3), 0);
  EXPECT_EQ(rise_slope(2, 4.4), rise_slope(2, 4));
}

double log_poisson(double y, double rate) {
  return y * std::log(rate) - rate - std::lgamma(y + 1);
}

double log_negative_binomial(double y, double rate, double size) {
  return std::lgamma(y + size) - std::lgamma(size) - std::lgamma(y + 1) + size * std::log(size / (size + rate)) +
         y * std::log(rate / (size + rate));
}

TEST(Cumulative, OfAPoissonIsTheSumOfItsProbabilities) {
  for (const double rate : {1e-4, 0.3, 1.0, 7.5, 100.0, 3000.0}) {
    double sum = 0;
    const double end = rate + 8 * std::sqrt(rate) + 10;
    for (double y = 0; y < end; ++y) {
      const double log_p = log_poisson(y, rate);
      sum += std::exp(log_p);
      ASSERT_NEAR(poisson_cumulative(y, rate, log_p), sum, 1e-10) << rate << " " << y;
    }
    EXPECT_NEAR(sum, 1, 1e-8);
  }
}

TEST(Cumulative, OfANegativeBinomialIsTheSumOfItsProbabilities) {
  for (const double rate : {1e-4, 0.3, 7.5, 300.0}) {
    for (const double size : {0.05, 1.0, 4.5, 100.0, 1e5, 1e8}) {
      double sum = 0;
      for (double y = 0; y < 4 * rate + 20; ++y) {
        const double log_p = log_negative_binomial(y, rate, size);
        sum += std::exp(log_p);
        // lgamma(1e8) has eight digits behind the point.
        ASSERT_NEAR(negative_binomial_cumulative(y, rate, size, log_p), std::min(1.0, sum), size < 1e6 ? 1e-9 : 1e-5)
            << rate << " " << size << " " << y;
      }
    }
  }
}

TEST(Cumulative, OfVeryLargeCountsHasItsMiddleInTheMiddle) {
  for (const double rate : {1e6, 1.6e7}) {
    const double at = poisson_cumulative(rate, rate, rate * std::log(rate) - rate - log_factorial(rate));
    EXPECT_NEAR(at, 0.5, 1 / std::sqrt(rate));
    // A Gamma of shape 4: P(G <= 4) = 1 - e^-4 (1 + 4 + 8 + 32/3).
    const double size = 4;
    const double log_p =
        rise_log(size, rate) + rate * std::log(rate) - (rate + size) * std::log1p(rate / size) - log_factorial(rate);
    EXPECT_NEAR(negative_binomial_cumulative(rate, rate, size, log_p), 1 - std::exp(-4.0) * (13 + 32.0 / 3), 1e-5);
  }
}

}  // namespace
}  // namespace fedstein
