// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/rng.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fedstein/numeric/check.h"
#include "support/throws.h"

namespace fedstein {
namespace {

Rng stream(std::uint64_t seed) {
  return Rng({.seed = seed, .purpose = Purpose::kTest});
}

// Philox4x64-10, key and counter zero, from the known-answer file kat_vectors of Random123.
TEST(Rng, GivesThePublishedPhiloxWords) {
  Rng rng({.seed = 0, .agent = 0, .round = 0, .purpose = Purpose{0}});
  EXPECT_EQ(rng(), 0x16554d9eca36314cULL);
  EXPECT_EQ(rng(), 0xdb20fe9d672d0fdcULL);
  EXPECT_EQ(rng(), 0xd7e772cee186176bULL);
  EXPECT_EQ(rng(), 0x7e68b68aec7ba23bULL);
}

TEST(Rng, EveryPartOfTheNameMatters) {
  const StreamId id{.seed = 1, .agent = 2, .round = 3, .purpose = Purpose::kMinibatch};
  std::set<std::uint64_t> first_words = {Rng(id)()};
  for (StreamId other : {StreamId{2, 2, 3, Purpose::kMinibatch},
                         StreamId{1, 3, 3, Purpose::kMinibatch},
                         StreamId{1, 2, 4, Purpose::kMinibatch},
                         StreamId{1, 2, 3, Purpose::kNoise}}) {
    first_words.insert(Rng(other)());
  }
  first_words.insert(Rng(id).at_step(1)());
  EXPECT_EQ(first_words.size(), 6U);
  EXPECT_EQ(Rng(id)(), Rng(id)()) << "the same name must give the same numbers";
}

TEST(Rng, AStepsStreamDoesNotDependOnWhatWasDrawnBefore) {
  Rng used = stream(5);
  used.normal();
  used.normal();
  EXPECT_EQ(used.at_step(7)(), stream(5).at_step(7)());
}

TEST(Rng, UniformStaysInsideTheOpenInterval) {
  Rng rng = stream(1);
  double sum = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 4 / std::sqrt(12.0 * kDraws));
}

TEST(Rng, NormalHasTheMomentsOfANormal) {
  Rng rng = stream(2);
  constexpr int kDraws = 200000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = rng.normal();
    m1 += z / kDraws;
    m2 += z * z / kDraws;
    m3 += z * z * z / kDraws;
    m4 += z * z * z * z / kDraws;
  }
  const double error = 4 / std::sqrt(static_cast<double>(kDraws));  // four standard errors of a unit-variance mean
  EXPECT_NEAR(m1, 0, error);
  EXPECT_NEAR(m2, 1, error * std::sqrt(2.0));
  EXPECT_NEAR(m3, 0, error * std::sqrt(15.0));
  EXPECT_NEAR(m4, 3, error * std::sqrt(96.0));
}

TEST(Rng, GammaHasMeanAndVarianceBelowAndAboveShapeOne) {
  constexpr int kDraws = 200000;
  constexpr double kScale = 0.01;
  for (const double shape : {0.3, 1.0, 4.5}) {
    Rng rng = stream(3);
    double m1 = 0, m2 = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double g = rng.gamma(shape, kScale);
      ASSERT_GT(g, 0);
      m1 += g / kDraws;
      m2 += g * g / kDraws;
    }
    const double variance = shape * kScale * kScale;
    EXPECT_NEAR(m1, shape * kScale, 4 * std::sqrt(variance / kDraws)) << "shape " << shape;
    EXPECT_NEAR(m2 - m1 * m1, variance, 0.05 * variance) << "shape " << shape;
  }
}

TEST(Rng, BelowIsUnbiasedAndInRange) {
  Rng rng = stream(4);
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++counts[rng.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 7.0, 4 * std::sqrt(kDraws / 7.0));
  EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, PermutationHoldsEveryIndexOnce) {
  std::vector<Index> order = stream(6).permutation(1000);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  EXPECT_TRUE(stream(6).permutation(0).empty());
}

TEST(Rng, RefusesBadArguments) {
  Rng rng = stream(7);
  EXPECT_THROW_MESSAGE(rng.below(0), InvalidArgument, "bound is 0");
  EXPECT_THROW_MESSAGE(rng.gamma(-1, 1), InvalidArgument, "shape is -1");
  EXPECT_THROW_MESSAGE(rng.gamma(1, 0), InvalidArgument, "scale is 0");
  EXPECT_THROW_MESSAGE(rng.permutation(-3), InvalidArgument, "count is -3");
}

}  // namespace
}  // namespace fedstein
