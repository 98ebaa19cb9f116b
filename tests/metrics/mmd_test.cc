// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "fedstein/metrics/divergence.h"
#include "fedstein/numeric/check.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

double kernel(const Matrix& a, Index i, const Matrix& b, Index j, double bandwidth) {
  double sum = 0;
  for (Index k = 0; k < a.cols(); ++k) {
    const double gap = static_cast<double>(a(i, k)) - static_cast<double>(b(j, k));
    sum += gap * gap;
  }
  return std::exp(-sum / (2 * bandwidth * bandwidth));
}

Mmd by_loops(const Matrix& x, const Matrix& y, double bandwidth) {
  const auto within = [&](const Matrix& set, bool with_diagonal) {
    double sum = 0;
    double count = 0;
    for (Index i = 0; i < set.rows(); ++i) {
      for (Index j = 0; j < set.rows(); ++j) {
        if (i == j && !with_diagonal) continue;
        sum += kernel(set, i, set, j, bandwidth);
        ++count;
      }
    }
    return sum / count;
  };
  double between = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < y.rows(); ++j) between += kernel(x, i, y, j, bandwidth);
  }
  between /= static_cast<double>(x.rows() * y.rows());
  return {
      within(x, true) + within(y, true) - 2 * between, within(x, false) + within(y, false) - 2 * between, bandwidth};
}

class SquaredMmd : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};

TEST_P(SquaredMmd, EqualsTheDoubleLoop) {
  const auto [n, m, d] = GetParam();
  const Matrix x = random_matrix(n, d, 1);
  const Matrix y = random_matrix(m, d, 2, /*mean=*/0.5);
  const double bandwidth = std::sqrt(static_cast<double>(d));
  const Mmd mmd = squared_mmd(x, y, bandwidth);
  const Mmd expected = by_loops(x, y, bandwidth);
  EXPECT_NEAR(mmd.biased, expected.biased, kValueTolerance);
  EXPECT_NEAR(mmd.unbiased, expected.unbiased, kValueTolerance);
  EXPECT_EQ(mmd.bandwidth, bandwidth);
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         SquaredMmd,
                         testing::Values(std::tuple{2, 3, 1}, std::tuple{300, 20, 2}, std::tuple{70, 270, 40}));

TEST(SquaredMmd, OfEqualSamplesIsZero) {
  for (const Index d : {1, 3, 60}) {
    const Matrix x = random_matrix(300, d, 3, /*mean=*/10);
    const Mmd mmd = squared_mmd(x, x);
    EXPECT_LT(mmd.biased, 1e-12);
    EXPECT_LT(mmd.unbiased,
              0);  // the pairs i = j are counted between the sets, not within: below zero by 2 (1 - mean k) / n
  }
}

TEST(SquaredMmd, ByHand) {
  const Mmd mmd = squared_mmd(Matrix{{0}, {0}}, Matrix{{2}, {2}}, 1);
  EXPECT_TRUE(close(mmd.biased, 2 - 2 * std::exp(-2.0), 1e-7));
  EXPECT_TRUE(close(mmd.unbiased, 2 - 2 * std::exp(-2.0), 1e-7));
  EXPECT_THAT(describe(mmd), testing::HasSubstr("exp(-|a - b|^2 / (2 h^2)) with h = 1"));
}

// Same law: the mean of many unbiased estimates is 0 within three of its deviations (each estimate's is about 0.0013),
// the biased ones lie above by 2 (1 - mean k) / n, with mean k = 1 / (1 + 1 / (2 log 2)) = 0.58 for this law, and a
// shifted law stands out in a single estimate.
TEST(SquaredMmd, TellsTwoLawsApartWithoutBias) {
  constexpr std::uint64_t kPairs = 20;
  double unbiased = 0;
  double biased = 0;
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    const Matrix x = random_matrix(400, 2, 100 + 2 * pair);
    const Matrix same = random_matrix(400, 2, 101 + 2 * pair);
    const Matrix shifted = same.array() + Real(0.5);
    const Mmd mmd = squared_mmd(x, same);
    unbiased += mmd.unbiased / kPairs;
    biased += mmd.biased / kPairs;
    EXPECT_GT(squared_mmd(x, shifted, mmd.bandwidth).unbiased, 0.03);
  }
  EXPECT_LT(std::abs(unbiased), 0.0009);
  EXPECT_NEAR(biased - unbiased, 2 * (1 - 0.58) / 400, 1e-4);
}

TEST(SquaredMmd, MedianOfThePooledDistances) {
  EXPECT_TRUE(close(median_distance(Matrix{{0}, {1}}, Matrix{{3}}), 2.0, 1e-6));       // of 1, 2, 3
  EXPECT_TRUE(close(median_distance(Matrix{{0}, {1}}, Matrix{{3}, {7}}), 3.5, 1e-6));  // of 1 2 3 4 6 7
  EXPECT_TRUE(close(median_distance(Matrix{{0, 0}}, Matrix{{3, 4}}), 5.0, 1e-6));      // of the only one
  EXPECT_EQ(squared_mmd(Matrix{{0, 0}}, Matrix{{3, 4}}).bandwidth, median_distance(Matrix{{0, 0}}, Matrix{{3, 4}}));

  const Matrix x = random_matrix(300, 3, 7);  // more than one block of rows
  const Matrix y = random_matrix(281, 3, 8);
  Matrix pooled(581, 3);
  pooled << x, y;
  std::vector<double> all;
  for (Index i = 0; i < 581; ++i) {
    for (Index j = 0; j < i; ++j) all.push_back((pooled.row(i) - pooled.row(j)).cast<double>().norm());
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size() % 2, 0);
  EXPECT_TRUE(close(median_distance(x, y), (all[all.size() / 2] + all[all.size() / 2 - 1]) / 2));
}

TEST(SquaredMmd, OneParticleHasNoUnbiasedEstimate) {
  const Mmd mmd = squared_mmd(Matrix{{0}}, Matrix{{1}, {2}}, 1);
  EXPECT_TRUE(std::isnan(mmd.unbiased));
  EXPECT_GT(mmd.biased, 0);
}

TEST(SquaredMmd, TinyBandwidth) {
  const Mmd mmd = squared_mmd(Matrix{{0}, {1}}, Matrix{{2}, {3}}, 1e-200);
  EXPECT_TRUE(close(mmd.biased, 1.0, 1e-12));  // only i = j within each set
  EXPECT_TRUE(close(mmd.unbiased + 1, 1.0, 1e-12));
}

TEST(SquaredMmd, Refuses) {
  const Matrix x = Matrix::Zero(2, 3);
  EXPECT_THROW_MESSAGE(squared_mmd(x, x), InvalidArgument, "the median distance of the 4 pooled particles is 0");
  EXPECT_THROW_MESSAGE(squared_mmd(x, x, 0), InvalidArgument, "squared_mmd: bandwidth is 0");
  EXPECT_THROW_MESSAGE(squared_mmd(x, Matrix::Zero(2, 2), 1), InvalidArgument, "y is 2 x 2; it must have 3 columns");
  EXPECT_THROW_MESSAGE(squared_mmd(Matrix(0, 3), x, 1), InvalidArgument, "x is 0 x 3");
  Matrix bad = x;
  bad(1, 2) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW_MESSAGE(squared_mmd(x, bad, 1), InvalidArgument, "y holds nan in row 1, column 2");
}

}  // namespace
}  // namespace fedstein
