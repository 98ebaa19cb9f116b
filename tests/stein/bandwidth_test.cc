// SPDX-License-Identifier: Apache-2.0
#include "fedstein/stein/bandwidth.h"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/distances.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

double median_of_sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

Matrix distances_of(const Matrix& x) {
  Matrix r2(x.rows(), x.rows());
  squared_distances(x, r2);
  return r2;
}

double paper_by_definition(const Matrix& r2) {
  std::vector<double> distances;
  for (Index i = 0; i < r2.rows(); ++i) {
    for (Index j = i + 1; j < r2.rows(); ++j) distances.push_back(std::sqrt(static_cast<double>(r2(i, j))));
  }
  return std::pow(median_of_sorted(distances), 2) / std::log(static_cast<double>(r2.rows()));
}

double original_by_definition(const Matrix& r2) {
  std::vector<double> squares(r2.data(), r2.data() + r2.size());
  return median_of_sorted(squares) / std::log(static_cast<double>(r2.rows()) + 1);
}

RC_GTEST_PROP(Bandwidth, RulesFollowTheirDefinitions, ()) {
  const auto n = *rc::gen::inRange<Index>(2, 30);
  const auto d = *rc::gen::inRange<Index>(1, 6);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  Matrix x = random_matrix(n, d, seed);
  // Repeated particles: ties, and more zeros than the diagonal has.
  const auto repeats = *rc::gen::inRange<Index>(0, n);
  for (Index i = 0; i < repeats; ++i) x.row(i) = x.row(0);
  const Matrix r2 = distances_of(x);
  RC_ASSERT(compare(Bandwidth::paper().of(r2), paper_by_definition(r2), 1e-12));
  RC_ASSERT(compare(Bandwidth::original().of(r2), original_by_definition(r2), 1e-12));
}

TEST(Bandwidth, TwoParticlesAtDistanceTwo) {
  Matrix x(2, 1);
  x << 0, 2;
  EXPECT_NEAR(Bandwidth::paper().of(distances_of(x)), 4 / std::log(2.0), 1e-6);
  EXPECT_NEAR(Bandwidth::original().of(distances_of(x)), 2 / std::log(3.0), 1e-6);
}

TEST(Bandwidth, OneParticleAndEqualParticles) {
  EXPECT_EQ(Bandwidth::paper().of(Matrix::Zero(1, 1)), 1);
  EXPECT_EQ(Bandwidth::original().of(Matrix::Zero(1, 1)), 1);
  EXPECT_EQ(Bandwidth::paper().of(Matrix::Zero(5, 5)), 0);
  EXPECT_EQ(Bandwidth::original().of(Matrix::Zero(5, 5)), 0);
}

TEST(Bandwidth, FixedIsFixedAndPositive) {
  EXPECT_EQ(Bandwidth::fixed(0.3).of(Matrix::Zero(5, 5)), 0.3);
  EXPECT_EQ(Bandwidth::fixed(0.3).description(), "fixed: 0.3");
  EXPECT_THROW_MESSAGE(Bandwidth::fixed(0), InvalidArgument, "Bandwidth::fixed: h is 0");
}

TEST(Bandwidth, NamesAreKnownOrRefused) {
  EXPECT_EQ(Bandwidth::named("paper").description(), Bandwidth::paper().description());
  EXPECT_EQ(Bandwidth::named("original").description(), Bandwidth::original().description());
  EXPECT_THROW_MESSAGE(Bandwidth::named("median"), InvalidArgument, "'median'; allowed: paper, original");
}

}  // namespace
}  // namespace fedstein
