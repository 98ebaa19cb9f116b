// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/distances.h"

#include <gtest/gtest.h>

#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"
#include "support/close.h"
#include "support/random_matrix.h"
#include "support/throws.h"

namespace fedstein {
namespace {

DoubleMatrix by_triple_loop(const Matrix& x, const Matrix& y) {
  DoubleMatrix out = DoubleMatrix::Zero(x.rows(), y.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < y.rows(); ++j) {
      for (Index k = 0; k < x.cols(); ++k) {
        const double gap = static_cast<double>(x(i, k)) - static_cast<double>(y(j, k));
        out(i, j) += gap * gap;
      }
    }
  }
  return out;
}

// One shape for each of the three ways, and the borders between them.
class Distances : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};

TEST_P(Distances, EqualTheTripleLoop) {
  const auto [n, m, d] = GetParam();
  const Matrix x = random_matrix(n, d, 1);
  const Matrix y = random_matrix(m, d, 2);
  Matrix out(n, m);
  squared_distances(x, y, out);
  EXPECT_TRUE(close(out, by_triple_loop(x, y)));
  EXPECT_GE(out.minCoeff(), 0);
}

TEST_P(Distances, OfOneSetAreSymmetricWithZeroDiagonal) {
  const auto [n, m, d] = GetParam();
  const Matrix x = random_matrix(n, d, 3);
  Matrix out(n, n);
  squared_distances(x, out);
  EXPECT_TRUE(close(out, by_triple_loop(x, x)));
  EXPECT_TRUE(identical(out, out.transpose()));
  EXPECT_TRUE(identical(out.diagonal(), Vector::Zero(n)));
}

TEST_P(Distances, SurviveALargeCommonOffset) {
  const auto [n, m, d] = GetParam();
  if (n < 2) return;
  const Matrix x = random_matrix(n, d, 4, /*mean=*/100, /*deviation=*/0.01);
  Matrix out(n, n);
  squared_distances(x, out);
  EXPECT_TRUE(close(out, by_triple_loop(x, x)));
}

TEST_P(Distances, DoNotDependOnTheNumberOfThreads) {
  const auto [n, m, d] = GetParam();
  const Matrix x = random_matrix(n, d, 5);
  Matrix serial(n, n);
  Matrix threaded(n, n);
  {
    const ThreadLimit one(1);
    squared_distances(x, serial);
  }
  squared_distances(x, threaded);
  EXPECT_TRUE(identical(threaded, serial));
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         Distances,
                         testing::Values(std::tuple{1, 1, 1},
                                         std::tuple{1, 3, 5},
                                         std::tuple{200, 150, 1},
                                         std::tuple{9, 4, 16},
                                         std::tuple{6, 6, 17},
                                         std::tuple{3, 5, 100000},
                                         std::tuple{9, 9, 1025},
                                         std::tuple{20, 20, 2051},
                                         std::tuple{3, 5, 4097},
                                         std::tuple{64, 64, 55},
                                         std::tuple{65, 64, 55},
                                         std::tuple{300, 129, 70}));

TEST(Distances, RefuseBadShapes) {
  Matrix out(2, 3);
  EXPECT_THROW_MESSAGE(squared_distances(Matrix::Zero(2, 4), Matrix::Zero(3, 5), out),
                       InvalidArgument,
                       "squared_distances: y is 3 x 5; it must have 4 columns");
  EXPECT_THROW_MESSAGE(squared_distances(Matrix::Zero(2, 4), Matrix::Zero(2, 4), out),
                       InvalidArgument,
                       "out is 2 x 3; it must be 2 x 2");
  EXPECT_THROW_MESSAGE(squared_distances(Matrix(0, 4), out), InvalidArgument, "x is 0 x 4");
}

}  // namespace
}  // namespace fedstein
